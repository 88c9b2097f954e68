// Every URL of the site on one screen: its page and who may see it.
import type { ReactNode } from 'react';
import { matchRoutes, Outlet, type RouteObject } from 'react-router';
import { DashboardStart, RequireRole, RequireSignedIn } from './guards.tsx';
import { ErrorPage } from './ErrorPage.tsx';
import { PublicLayout } from './PublicLayout.tsx';
import { type Screen, screen } from './screen.tsx';

const served = 'page';
const home = screen(
  'web/academy/Home.tsx',
  () => import('../academy/Home.tsx').then((m) => ({ Page: m.Home, reads: m.reads })),
  served,
);
const classes = screen(
  'web/classes/Classes.tsx',
  () => import('../classes/Classes.tsx').then((m) => ({ Page: m.Classes, reads: m.reads })),
  served,
);
const oneClass = screen(
  'web/classes/page/OneClass.tsx',
  () => import('../classes/page/OneClass.tsx').then((m) => ({ Page: m.OneClass, reads: m.reads })),
  served,
);
const calendar = screen(
  'web/classes/Calendar.tsx',
  () => import('../classes/Calendar.tsx').then((m) => ({ Page: m.Calendar, reads: m.reads })),
  served,
);
const instructors = screen(
  'web/classes/Instructors.tsx',
  () => import('../classes/Instructors.tsx').then((m) => ({ Page: m.Instructors, reads: m.reads })),
  served,
);
const written = screen(
  'web/academy/Written.tsx',
  () => import('../academy/Written.tsx').then((m) => ({ Page: m.Written, reads: m.reads })),
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
const invitation = screen('web/signin/Invitation.tsx', () =>
  import('../signin/Invitation.tsx').then((m) => ({ Page: m.Invitation })),
);
const join = screen('web/signin/Join.tsx', () =>
  import('../signin/Join.tsx').then((m) => ({ Page: m.Join })),
);
const newAddress = screen('web/signin/NewAddress.tsx', () =>
  import('../signin/NewAddress.tsx').then((m) => ({ Page: m.NewAddress })),
);
const updateClass = screen('web/classes/UpdateClass.tsx', () =>
  import('../classes/UpdateClass.tsx').then((m) => ({ Page: m.UpdateClass })),
);

const layout = screen(
  'web/app/DashboardLayout.tsx',
  () => import('./DashboardLayout.tsx').then((m) => ({ Page: m.DashboardLayout })),
  'frame',
);
const adminHome = screen('web/academy/home/AdminHome.tsx', () =>
  import('../academy/home/AdminHome.tsx').then((m) => ({ Page: m.AdminHome })),
);
const userHome = screen('web/academy/UserHome.tsx', () =>
  import('../academy/UserHome.tsx').then((m) => ({ Page: m.UserHome })),
);
const myClasses = screen('web/rollcall/MyClasses.tsx', () =>
  import('../rollcall/MyClasses.tsx').then((m) => ({ Page: m.MyClasses })),
);
const manageUsers = screen('web/academy/ManageUsers.tsx', () =>
  import('../academy/ManageUsers.tsx').then((m) => ({ Page: m.ManageUsers })),
);
const userPage = screen('web/academy/users/UserPage.tsx', () =>
  import('../academy/users/UserPage.tsx').then((m) => ({ Page: m.UserPage })),
);
const addAClass = screen('web/classes/AddAClass.tsx', () =>
  import('../classes/AddAClass.tsx').then((m) => ({ Page: m.AddAClass })),
);
const addForInstructor = screen('web/classes/AddAClass.tsx', () =>
  import('../classes/AddAClass.tsx').then((m) => ({ Page: m.AddForInstructor })),
);
const myCart = screen('web/checkout/MyCart.tsx', () =>
  import('../checkout/MyCart.tsx').then((m) => ({ Page: m.MyCart })),
);
const payment = screen('web/checkout/payment/Pay.tsx', () =>
  import('../checkout/payment/Pay.tsx').then((m) => ({ Page: m.Pay })),
);
const myEnrolledClasses = screen('web/checkout/MyEnrolledClasses.tsx', () =>
  import('../checkout/MyEnrolledClasses.tsx').then((m) => ({ Page: m.MyEnrolledClasses })),
);
const paymentHistory = screen('web/checkout/PaymentHistory.tsx', () =>
  import('../checkout/PaymentHistory.tsx').then((m) => ({ Page: m.PaymentHistory })),
);
const manageClasses = screen('web/classes/ManageClasses.tsx', () =>
  import('../classes/ManageClasses.tsx').then((m) => ({ Page: m.ManageClasses })),
);
const classReview = screen('web/classes/ClassReview.tsx', () =>
  import('../classes/ClassReview.tsx').then((m) => ({ Page: m.ClassReview })),
);
const places = screen('web/classes/places/Places.tsx', () =>
  import('../classes/places/Places.tsx').then((m) => ({ Page: m.Places })),
);
const discounts = screen('web/checkout/discounts/Discounts.tsx', () =>
  import('../checkout/discounts/Discounts.tsx').then((m) => ({ Page: m.Discounts })),
);
const academy = screen('web/academy/settings/Academy.tsx', () =>
  import('../academy/settings/Academy.tsx').then((m) => ({ Page: m.Academy })),
);
const attendance = screen('web/rollcall/AttendanceList.tsx', () =>
  import('../rollcall/AttendanceList.tsx').then((m) => ({ Page: m.AttendanceList })),
);
const audit = screen('web/academy/Audit.tsx', () =>
  import('../academy/Audit.tsx').then((m) => ({ Page: m.Audit })),
);
const paymentDetails = screen('web/checkout/PaymentDetails.tsx', () =>
  import('../checkout/PaymentDetails.tsx').then((m) => ({ Page: m.PaymentDetails })),
);
const payments = screen('web/checkout/Payments.tsx', () =>
  import('../checkout/Payments.tsx').then((m) => ({ Page: m.Payments })),
);
const attention = screen('web/academy/Attention.tsx', () =>
  import('../academy/Attention.tsx').then((m) => ({ Page: m.Attention })),
);
const receipt = screen('web/checkout/Receipt.tsx', () =>
  import('../checkout/Receipt.tsx').then((m) => ({ Page: m.Receipt })),
);
const myCalendar = screen('web/classes/calendar/page/Calendar.tsx', () =>
  import('../classes/calendar/page/Calendar.tsx').then((m) => ({ Page: m.Calendar })),
);
const rollCall = screen('web/rollcall/page/RollCall.tsx', () =>
  import('../rollcall/page/RollCall.tsx').then((m) => ({ Page: m.RollCall })),
);
const classRollCall = screen('web/rollcall/page/ClassRollCall.tsx', () =>
  import('../rollcall/page/ClassRollCall.tsx').then((m) => ({ Page: m.ClassRollCall })),
);
const family = screen('web/academy/family/Family.tsx', () =>
  import('../academy/family/Family.tsx').then((m) => ({ Page: m.Family })),
);
const familyMember = screen('web/academy/family/FamilyMember.tsx', () =>
  import('../academy/family/FamilyMember.tsx').then((m) => ({ Page: m.FamilyMember })),
);
const familyPlan = screen('web/academy/family/plan/FamilyPlan.tsx', () =>
  import('../academy/family/plan/FamilyPlan.tsx').then((m) => ({ Page: m.FamilyPlan })),
);
const account = screen('web/signin/Account.tsx', () =>
  import('../signin/Account.tsx').then((m) => ({ Page: m.Account })),
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
