// Every URL of the site on one screen: its page and who may see it.
import { matchRoutes, Outlet, type RouteObject } from 'react-router';
import { DashboardStart, RequireRole, RequireSignedIn } from './guards.tsx';
import { ErrorPage } from './ErrorPage.tsx';
import { PublicLayout } from './PublicLayout.tsx';
import { type Load, type Screen, screen } from './screen.tsx';

function at<File extends string>(
  path: string,
  file: File,
  load: Load<File>,
  served?: Screen['served'],
): RouteObject {
  const handle = screen(file, load, served);
  return { path, handle, element: <handle.Page /> };
}

const served = 'page';
const forVisitors: RouteObject[] = [
  at('', 'academy/Home', () => import('../academy/Home.tsx'), served),
  at('signup', 'signin/Signup', () => import('../signin/Signup.tsx'), served),
  at('login', 'signin/Login', () => import('../signin/Login.tsx'), served),
  at('forgotpassword', 'signin/ForgotPassword', () => import('../signin/ForgotPassword.tsx')),
  at('resetpassword', 'signin/ResetPassword', () => import('../signin/ResetPassword.tsx')),
  at('confirm', 'signin/ConfirmAddress', () => import('../signin/ConfirmAddress.tsx')),
  at('invitation', 'signin/Invitation', () => import('../signin/Invitation.tsx')),
  at('join', 'signin/Join', () => import('../signin/Join.tsx')),
  at('newaddress', 'signin/NewAddress', () => import('../signin/NewAddress.tsx')),
  at('classes', 'classes/Classes', () => import('../classes/Classes.tsx'), served),
  at('classes/:id', 'classes/page/OneClass', () => import('../classes/page/OneClass.tsx'), served),
  at('calendar', 'classes/Calendar', () => import('../classes/Calendar.tsx'), served),
  at('instructors', 'classes/Instructors', () => import('../classes/Instructors.tsx'), served),
  at('updateclass', 'classes/UpdateClass', () => import('../classes/UpdateClass.tsx')),
  at('pages/:name', 'academy/Written', () => import('../academy/Written.tsx'), served),
];

/** Unguarded in the browser (specification, section 6); the API is guarded all the same. */
const unguarded: RouteObject[] = [
  at('adminhome', 'academy/home/AdminHome', () => import('../academy/home/AdminHome.tsx')),
  at('payment', 'checkout/payment/Pay', () => import('../checkout/payment/Pay.tsx')),
  at('mycart', 'checkout/MyCart', () => import('../checkout/MyCart.tsx')),
  // They open without a network, so they find out themselves who asks (rollcall/Caller.tsx).
  at('rollcall', 'rollcall/page/RollCall', () => import('../rollcall/page/RollCall.tsx')),
  at(
    'rollcall/:classId',
    'rollcall/page/ClassRollCall',
    () => import('../rollcall/page/ClassRollCall.tsx'),
  ),
];

const forSignedIn: RouteObject[] = [
  at('userhome', 'academy/UserHome', () => import('../academy/UserHome.tsx')),
  at('myselectedclasses', 'checkout/MyCart', () => import('../checkout/MyCart.tsx')),
  at(
    'myenrolledclasses',
    'checkout/MyEnrolledClasses',
    () => import('../checkout/MyEnrolledClasses.tsx'),
  ),
  at('waiting', 'checkout/waiting/Waiting', () => import('../checkout/waiting/Waiting.tsx')),
  at('paymenthistory', 'checkout/PaymentHistory', () => import('../checkout/PaymentHistory.tsx')),
  at('credit', 'checkout/Credit', () => import('../checkout/Credit.tsx')),
  at(
    'calendar',
    'classes/calendar/page/Calendar',
    () => import('../classes/calendar/page/Calendar.tsx'),
  ),
  at('family', 'academy/family/Family', () => import('../academy/family/Family.tsx')),
  at(
    'family/:id',
    'academy/family/FamilyMember',
    () => import('../academy/family/FamilyMember.tsx'),
  ),
  at(
    'family/plan',
    'academy/family/plan/FamilyPlan',
    () => import('../academy/family/plan/FamilyPlan.tsx'),
  ),
  at('receipt/:id', 'checkout/Receipt', () => import('../checkout/Receipt.tsx')),
  at('account', 'signin/Account', () => import('../signin/Account.tsx')),
];

const forInstructors: RouteObject[] = [
  at('myclasses', 'rollcall/MyClasses', () => import('../rollcall/MyClasses.tsx')),
  at(
    'myclasses/:id/line',
    'checkout/waiting/LinePage',
    () => import('../checkout/waiting/LinePage.tsx'),
  ),
  at('addaclass', 'classes/AddAClass', () => import('../classes/AddAClass.tsx')),
];

const forAdmins: RouteObject[] = [
  at('manageusers', 'academy/ManageUsers', () => import('../academy/ManageUsers.tsx')),
  at('manageusers/:id', 'academy/users/UserPage', () => import('../academy/users/UserPage.tsx')),
  at('manageclasses', 'classes/ManageClasses', () => import('../classes/ManageClasses.tsx')),
  at('manageclasses/new', 'classes/AddAClass', () =>
    import('../classes/AddAClass.tsx').then((m) => ({ AddAClass: m.AddForInstructor })),
  ),
  at('manageclasses/:id', 'classes/ClassReview', () => import('../classes/ClassReview.tsx')),
  at(
    'manageclasses/:id/line',
    'checkout/waiting/LinePage',
    () => import('../checkout/waiting/LinePage.tsx'),
  ),
  at('places', 'classes/places/Places', () => import('../classes/places/Places.tsx')),
  at('attendance', 'rollcall/AttendanceList', () => import('../rollcall/AttendanceList.tsx')),
  at(
    'discounts',
    'checkout/discounts/Discounts',
    () => import('../checkout/discounts/Discounts.tsx'),
  ),
  at('academy', 'academy/settings/Academy', () => import('../academy/settings/Academy.tsx')),
  at('payments', 'checkout/Payments', () => import('../checkout/Payments.tsx')),
  at('payments/:id', 'checkout/PaymentDetails', () => import('../checkout/PaymentDetails.tsx')),
  at('audit', 'academy/Audit', () => import('../academy/Audit.tsx')),
  at('attention', 'academy/Attention', () => import('../academy/Attention.tsx')),
];

const frame = screen('app/DashboardLayout', () => import('./DashboardLayout.tsx'), 'frame');

const outlet = <Outlet />;

export const routes: RouteObject[] = [
  { path: '/', element: <PublicLayout />, children: forVisitors },
  {
    path: '/dashboard',
    handle: frame,
    element: <frame.Page />,
    children: [
      { index: true, handle: frame, element: <DashboardStart /> },
      ...unguarded,
      { element: <RequireSignedIn>{outlet}</RequireSignedIn>, children: forSignedIn },
      { element: <RequireRole of="instructor">{outlet}</RequireRole>, children: forInstructors },
      { element: <RequireRole of="admin">{outlet}</RequireRole>, children: forAdmins },
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
