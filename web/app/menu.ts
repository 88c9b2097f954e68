// What the dashboard's sidebar offers to each role (specification, section 2, and My Enrolled
// Classes), and which pages have a table that the header's search box filters.
import type { Role } from '../../contract/platform/call.ts';
import { paths } from '../platform/paths.ts';
import type { AnyIcon } from '../platform/ui/Icon.tsx';
import * as icons from '../platform/ui/dashboardicons.ts';

const at = paths.dashboard;

export interface Entry {
  label: string;
  to: string;
  icon: AnyIcon;
  /** Another URL of the same page. */
  also?: string;
}

export interface Group {
  title: string;
  entries: readonly Entry[];
}

const admin: readonly Entry[] = [
  { label: 'Admin Home', icon: icons.dashboard, to: at.adminHome },
  { label: 'Manage Users', icon: 'users', to: at.manageUsers },
  { label: 'Manage Classes', icon: icons.book, to: at.manageClasses },
];

/** Not in the specification. */
const office: readonly Group[] = [
  {
    title: 'People',
    entries: [{ label: 'Attendance', icon: icons.rollCall, to: at.attendance }],
  },
  {
    title: 'Programme',
    entries: [
      { label: 'Calendar', icon: 'calendar', to: at.calendar },
      { label: 'Places', icon: 'pin', to: at.places },
    ],
  },
  {
    title: 'Money',
    entries: [
      { label: 'Payments', icon: 'card', to: at.payments },
      { label: 'Discounts', icon: icons.percent, to: at.discounts },
      { label: 'Needs Attention', icon: 'alert', to: at.attention },
    ],
  },
  {
    title: 'Academy',
    entries: [
      { label: 'Academy', icon: icons.building, to: at.academy },
      { label: 'Audit Log', icon: icons.audit, to: at.audit },
      { label: 'Account', icon: icons.user, to: at.account },
    ],
  },
];

const rollCall: Entry = { label: 'Roll Call', icon: icons.rollCall, to: at.rollCall };

const instructor: readonly Entry[] = [
  { label: 'Add a Class', icon: icons.plus, to: at.addAClass },
  { label: 'Instructor Classes', icon: icons.school, to: at.myClasses },
  { label: 'Calendar', icon: 'calendar', to: at.calendar },
  rollCall,
  { label: 'Account', icon: icons.user, to: at.account },
];

const studentEntries: readonly Entry[] = [
  { label: 'User Home', icon: icons.dashboard, to: at.userHome },
  { label: 'My Cart', icon: 'cart', to: at.myCart, also: at.mySelectedClasses },
  { label: 'Payment', icon: 'card', to: at.payment },
  { label: 'Payment History', icon: icons.receipt, to: at.paymentHistory },
  { label: 'My Enrolled Classes', icon: icons.school, to: at.myEnrolledClasses },
  { label: 'Waiting', icon: 'clock', to: at.waiting },
  { label: 'Calendar', icon: 'calendar', to: at.calendar },
  { label: 'Family', icon: 'users', to: at.family },
  { label: 'Credit', icon: icons.wallet, to: at.credit },
  { label: 'Classes', icon: 'ball', to: paths.classes },
  { label: 'Account', icon: icons.user, to: at.account },
];

export function menuOf(role: Role | null): readonly Group[] {
  if (role === 'admin') return [{ title: 'Admin', entries: admin }, ...office];
  if (role === 'instructor') return [{ title: 'Instructor', entries: instructor }];
  return [{ title: 'Student', entries: studentEntries }];
}

/** Of a student, for an instructor who books classes: without what the other menu has. */
export const familyToo = studentEntries.filter(
  ({ to }) => !instructor.some((entry) => entry.to === to),
);

/** Of an instructor, for an admin who teaches. */
const ofOffice = menuOf('admin').flatMap(({ entries }) => entries);
export const teachesToo = instructor.filter(({ to }) => !ofOffice.some((entry) => entry.to === to));

/** The pages that open without a network, on a phone that has taken a roll call. */
export const withoutServer: readonly Entry[] = [rollCall];

export const others = [
  { label: 'Home', to: paths.home },
  { label: 'Signup', to: paths.signup },
  { label: 'Login', to: paths.login },
];

/** Short enough for the header of a phone. */
const searches: Record<string, string> = {
  [at.manageUsers]: 'Search users',
  [at.manageClasses]: 'Search classes',
  [at.payments]: 'Search payments',
  [at.attention]: 'Search this list',
  [at.audit]: 'Search the log',
  [at.myClasses]: 'Search classes',
  [at.myCart]: 'Search your cart',
  [at.mySelectedClasses]: 'Search your cart',
  [at.myEnrolledClasses]: 'Search classes',
  [at.paymentHistory]: 'Search payments',
};

/** What the search box says on this page; undefined where there is no table to filter. */
export const searchOn = (pathname: string): string | undefined =>
  searches[pathname.replace(/\/+$/, '')];
