// What the dashboard's sidebar offers to each role (specification, section 2, and My
// Enrolled Classes), and which pages have a table that the header's search box filters. Not for:
// who may open a page (guards.tsx).
import type { Role } from '../../contract/users.ts';
import { paths } from '../paths.ts';

const at = paths.dashboard;

export interface Entry {
  label: string;
  to: string;
  /** Another URL of the same page. */
  also?: string;
}

const admin: readonly Entry[] = [
  { label: 'Admin Home', to: at.adminHome },
  { label: 'Manage Users', to: at.manageUsers },
  { label: 'Manage Classes', to: at.manageClasses },
  // Not in the specification.
  { label: 'Payments', to: at.payments },
  { label: 'Needs Attention', to: at.attention },
  { label: 'Audit Log', to: at.audit },
  { label: 'Account', to: at.account },
];

const instructor: readonly Entry[] = [
  { label: 'Add a Class', to: at.addAClass },
  { label: 'Instructor Classes', to: at.myClasses },
  { label: 'Account', to: at.account },
];

const studentEntries: readonly Entry[] = [
  { label: 'User Home', to: at.userHome },
  { label: 'My Cart', to: at.myCart, also: at.mySelectedClasses },
  { label: 'Payment', to: at.payment },
  { label: 'Payment History', to: at.paymentHistory },
  { label: 'My Enrolled Classes', to: at.myEnrolledClasses },
  { label: 'Account', to: at.account },
];

export function menuOf(role: Role | null): { title: string; entries: readonly Entry[] } {
  if (role === 'admin') return { title: 'Admin', entries: admin };
  if (role === 'instructor') return { title: 'Instructor', entries: instructor };
  return { title: 'Student', entries: studentEntries };
}

export const others: readonly Entry[] = [
  { label: 'Home', to: paths.home },
  { label: 'Signup', to: paths.signup },
  { label: 'Login', to: paths.login },
];

const searches: Record<string, string> = {
  [at.manageUsers]: 'Search by name or email',
  [at.manageClasses]: 'Search classes or instructors',
  [at.payments]: 'Search payments',
  [at.attention]: 'Search this list',
  [at.audit]: 'Search the audit log',
  [at.myClasses]: 'Search your classes',
  [at.myCart]: 'Search your cart',
  [at.mySelectedClasses]: 'Search your cart',
  [at.myEnrolledClasses]: 'Search your enrolled classes',
  [at.paymentHistory]: 'Search your payments',
};

/** What the search box says on this page; undefined where there is no table to filter. */
export const searchOn = (pathname: string): string | undefined =>
  searches[pathname.replace(/\/+$/, '')];
