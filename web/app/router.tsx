// Every URL of the site on one screen: its page and who may see it. Not for: building URLs
// (paths.ts).
import type { ReactNode } from 'react';
import { matchRoutes, Outlet, type RouteObject } from 'react-router';
import { DashboardStart, RequireRole, RequireSignedIn } from './guards.tsx';
import { ErrorPage } from './ErrorPage.tsx';
import { PublicLayout } from './PublicLayout.tsx';
import { type Screen, screen } from './screen.tsx';

const served = 'page';
const home = screen(
  'web/pages/Home.tsx',
  () => import('../pages/Home.tsx').then((m) => ({ Page: m.Home, reads: m.reads })),
  served,
);
const classes = screen(
  'web/pages/Classes.tsx',
  () => import('../pages/Classes.tsx').then((m) => ({ Page: m.Classes, reads: m.reads })),
  served,
);
const oneClass = screen(
  'web/pages/class/OneClass.tsx',
  () => import('../pages/class/OneClass.tsx').then((m) => ({ Page: m.OneClass, reads: m.reads })),
  served,
);
const calendar = screen(
  'web/pages/Calendar.tsx',
  () => import('../pages/Calendar.tsx').then((m) => ({ Page: m.Calendar, reads: m.reads })),
  served,
);
const instructors = screen(
  'web/pages/Instructors.tsx',
  () => import('../pages/Instructors.tsx').then((m) => ({ Page: m.Instructors, reads: m.reads })),
  served,
);
const written = screen(
  'web/pages/Written.tsx',
  () => import('../pages/Written.tsx').then((m) => ({ Page: m.Written, reads: m.reads })),
  served,
);
const login = screen(
  'web/signin/Login.tsx',
  () => import('../signin/Login.tsx').then((m) => ({ Page: m.Login })),
  served,
);
const signup = screen(
  'web/signin/Signup.tsx',
  () => import('../signin/Signup.tsx').then((m) => ({ Page: m.Signup })),
  served,
);
const forgot = screen('web/signin/ForgotPassword.tsx', () =>
  import('../signin/ForgotPassword.tsx').then((m) => ({ Page: m.ForgotPassword })),
);
const reset = screen('web/signin/ResetPassword.tsx', () =>
  import('../signin/ResetPassword.tsx').then((m) => ({ Page: m.ResetPassword })),
);
const confirm = screen('web/signin/ConfirmAddress.tsx', () =>
  import('../signin/ConfirmAddress.tsx').then((m) => ({ Page: m.ConfirmAddress })),
);
const invitation = screen('web/pages/Invitation.tsx', () =>
  import('../pages/Invitation.tsx').then((m) => ({ Page: m.Invitation })),
);
const join = screen('web/signin/Join.tsx', () =>
  import('../signin/Join.tsx').then((m) => ({ Page: m.Join })),
);
const newAddress = screen('web/signin/NewAddress.tsx', () =>
  import('../signin/NewAddress.tsx').then((m) => ({ Page: m.NewAddress })),
);
const updateClass = screen('web/pages/UpdateClass.tsx', () =>
  import('../pages/UpdateClass.tsx').then((m) => ({ Page: m.UpdateClass })),
);

const layout = screen(
  'web/app/DashboardLayout.tsx',
  () => import('./DashboardLayout.tsx').then((m) => ({ Page: m.DashboardLayout })),
  'frame',
);
const adminHome = screen('web/pages/dashboard/adminhome/AdminHome.tsx', () =>
  import('../pages/dashboard/adminhome/AdminHome.tsx').then((m) => ({ Page: m.AdminHome })),
);
const userHome = screen('web/pages/dashboard/UserHome.tsx', () =>
  import('../pages/dashboard/UserHome.tsx').then((m) => ({ Page: m.UserHome })),
);
const myClasses = screen('web/pages/dashboard/MyClasses.tsx', () =>
  import('../pages/dashboard/MyClasses.tsx').then((m) => ({ Page: m.MyClasses })),
);
const manageUsers = screen('web/pages/dashboard/ManageUsers.tsx', () =>
  import('../pages/dashboard/ManageUsers.tsx').then((m) => ({ Page: m.ManageUsers })),
);
const userPage = screen('web/pages/dashboard/users/UserPage.tsx', () =>
  import('../pages/dashboard/users/UserPage.tsx').then((m) => ({ Page: m.UserPage })),
);
const addAClass = screen('web/pages/dashboard/AddAClass.tsx', () =>
  import('../pages/dashboard/AddAClass.tsx').then((m) => ({ Page: m.AddAClass })),
);
const addForInstructor = screen('web/pages/dashboard/AddAClass.tsx', () =>
  import('../pages/dashboard/AddAClass.tsx').then((m) => ({ Page: m.AddForInstructor })),
);
const myCart = screen('web/pages/dashboard/MyCart.tsx', () =>
  import('../pages/dashboard/MyCart.tsx').then((m) => ({ Page: m.MyCart })),
);
const payment = screen('web/pages/dashboard/payment/Pay.tsx', () =>
  import('../pages/dashboard/payment/Pay.tsx').then((m) => ({ Page: m.Pay })),
);
const myEnrolledClasses = screen('web/pages/dashboard/MyEnrolledClasses.tsx', () =>
  import('../pages/dashboard/MyEnrolledClasses.tsx').then((m) => ({ Page: m.MyEnrolledClasses })),
);
const paymentHistory = screen('web/pages/dashboard/PaymentHistory.tsx', () =>
  import('../pages/dashboard/PaymentHistory.tsx').then((m) => ({ Page: m.PaymentHistory })),
);
const manageClasses = screen('web/pages/dashboard/ManageClasses.tsx', () =>
  import('../pages/dashboard/ManageClasses.tsx').then((m) => ({ Page: m.ManageClasses })),
);
const classReview = screen('web/pages/dashboard/ClassReview.tsx', () =>
  import('../pages/dashboard/ClassReview.tsx').then((m) => ({ Page: m.ClassReview })),
);
const places = screen('web/pages/dashboard/places/Places.tsx', () =>
  import('../pages/dashboard/places/Places.tsx').then((m) => ({ Page: m.Places })),
);
const discounts = screen('web/pages/dashboard/discounts/Discounts.tsx', () =>
  import('../pages/dashboard/discounts/Discounts.tsx').then((m) => ({ Page: m.Discounts })),
);
const academy = screen('web/pages/dashboard/academy/Academy.tsx', () =>
  import('../pages/dashboard/academy/Academy.tsx').then((m) => ({ Page: m.Academy })),
);
const attendance = screen('web/pages/dashboard/AttendanceList.tsx', () =>
  import('../pages/dashboard/AttendanceList.tsx').then((m) => ({ Page: m.AttendanceList })),
);
const audit = screen('web/pages/dashboard/Audit.tsx', () =>
  import('../pages/dashboard/Audit.tsx').then((m) => ({ Page: m.Audit })),
);
const paymentDetails = screen('web/pages/dashboard/PaymentDetails.tsx', () =>
  import('../pages/dashboard/PaymentDetails.tsx').then((m) => ({ Page: m.PaymentDetails })),
);
const payments = screen('web/pages/dashboard/Payments.tsx', () =>
  import('../pages/dashboard/Payments.tsx').then((m) => ({ Page: m.Payments })),
);
const attention = screen('web/pages/dashboard/Attention.tsx', () =>
  import('../pages/dashboard/Attention.tsx').then((m) => ({ Page: m.Attention })),
);
const receipt = screen('web/pages/dashboard/Receipt.tsx', () =>
  import('../pages/dashboard/Receipt.tsx').then((m) => ({ Page: m.Receipt })),
);
const myCalendar = screen('web/pages/dashboard/calendar/Calendar.tsx', () =>
  import('../pages/dashboard/calendar/Calendar.tsx').then((m) => ({ Page: m.Calendar })),
);
const rollCall = screen('web/pages/dashboard/rollcall/RollCall.tsx', () =>
  import('../pages/dashboard/rollcall/RollCall.tsx').then((m) => ({ Page: m.RollCall })),
);
const classRollCall = screen('web/pages/dashboard/rollcall/ClassRollCall.tsx', () =>
  import('../pages/dashboard/rollcall/ClassRollCall.tsx').then((m) => ({ Page: m.ClassRollCall })),
);
const family = screen('web/pages/dashboard/family/Family.tsx', () =>
  import('../pages/dashboard/family/Family.tsx').then((m) => ({ Page: m.Family })),
);
const familyMember = screen('web/pages/dashboard/family/FamilyMember.tsx', () =>
  import('../pages/dashboard/family/FamilyMember.tsx').then((m) => ({ Page: m.FamilyMember })),
);
const familyPlan = screen('web/pages/dashboard/family/plan/FamilyPlan.tsx', () =>
  import('../pages/dashboard/family/plan/FamilyPlan.tsx').then((m) => ({ Page: m.FamilyPlan })),
);
const account = screen('web/pages/dashboard/Account.tsx', () =>
  import('../pages/dashboard/Account.tsx').then((m) => ({ Page: m.Account })),
);

const at = (path: string, handle: Screen, element: ReactNode = <handle.Page />): RouteObject => ({
  path,
  handle,
  element,
});

export const routes: RouteObject[] = [
  {
    path: '/',
    element: <PublicLayout />,
    children: [
      { index: true, handle: home, element: <home.Page /> },
      at('signup', signup),
      at('login', login),
      at('forgotpassword', forgot),
      at('resetpassword', reset),
      at('confirm', confirm),
      at('invitation', invitation),
      at('join', join),
      at('newaddress', newAddress),
      at('classes', classes),
      at('classes/:id', oneClass),
      at('calendar', calendar),
      at('instructors', instructors),
      at('updateclass', updateClass),
      at('pages/:name', written),
    ],
  },
  {
    path: '/dashboard',
    handle: layout,
    element: <layout.Page />,
    children: [
      { index: true, handle: layout, element: <DashboardStart /> },
      // Unguarded in the browser (specification, section 6); the API is guarded all the same.
      at('adminhome', adminHome),
      at('payment', payment),
      at('mycart', myCart),
      // They open without a network, so they find out themselves who asks (rollcall/Caller.tsx).
      at('rollcall', rollCall),
      at('rollcall/:classId', classRollCall),
      {
        element: (
          <RequireSignedIn>
            <Outlet />
          </RequireSignedIn>
        ),
        children: [
          at('userhome', userHome),
          at('myselectedclasses', myCart),
          at('myenrolledclasses', myEnrolledClasses),
          at('paymenthistory', paymentHistory),
          at('calendar', myCalendar),
          at('family', family),
          at('family/:id', familyMember),
          at('family/plan', familyPlan),
          at('receipt/:id', receipt),
          at('account', account),
        ],
      },
      {
        element: (
          <RequireRole of="instructor">
            <Outlet />
          </RequireRole>
        ),
        children: [at('myclasses', myClasses), at('addaclass', addAClass)],
      },
      {
        element: (
          <RequireRole of="admin">
            <Outlet />
          </RequireRole>
        ),
        children: [
          at('manageusers', manageUsers),
          at('manageusers/:id', userPage),
          at('manageclasses', manageClasses),
          at('manageclasses/new', addForInstructor),
          at('manageclasses/:id', classReview),
          at('places', places),
          at('attendance', attendance),
          at('discounts', discounts),
          at('academy', academy),
          at('payments', payments),
          at('payments/:id', paymentDetails),
          at('audit', audit),
          at('attention', attention),
        ],
      },
    ],
  },
  { path: '*', element: <ErrorPage /> },
];

/** The screens of a URL from the outermost to the page itself; none for an unknown URL. */
export function screensAt(pathname: string): {
  screens: Screen[];
  params: Record<string, string | undefined>;
} {
  const matches = matchRoutes(routes, pathname) ?? [];
  const screens = matches.flatMap(({ route }) => (route.handle ? [route.handle as Screen] : []));
  return { screens, params: matches.at(-1)?.params ?? {} };
}
