// The table of all calls. The server implements each exactly once (test/architecture.test.ts). The
// API page is generated from it.
import * as academy from './academy.ts';
import * as account from './account.ts';
import * as announcements from './announcements.ts';
import * as auth from './signin.ts';
import * as calendar from './calendar.ts';
import type { AnyCall } from './call.ts';
import * as care from './care.ts';
import * as cart from './cart.ts';
import * as checkout from './checkout.ts';
import * as classes from './classes.ts';
import * as discounts from './discounts.ts';
import * as family from './family.ts';
import * as feeds from './feeds.ts';
import * as figures from './figures.ts';
import * as identity from './identity.ts';
import * as instructors from './instructors.ts';
import * as join from './join.ts';
import * as live from './live.ts';
import * as meetings from './meetings.ts';
import * as office from './office.ts';
import * as objections from './objections.ts';
import * as payments from './payments.ts';
import * as pictures from './pictures.ts';
import * as places from './places.ts';
import * as rollcall from './rollcall.ts';
import * as plans from './plans.ts';
import * as site from './site.ts';
import * as steps from './steps.ts';
import * as staff from './staff.ts';
import * as users from './users.ts';

const parts = {
  auth,
  identity,
  users,
  staff,
  join,
  family,
  classes,
  meetings,
  places,
  plans,
  instructors,
  calendar,
  feeds,
  care,
  cart,
  payments,
  objections,
  checkout,
  discounts,
  rollcall,
  announcements,
  account,
  pictures,
  figures,
  academy,
  site,
  steps,
  office,
  live,
};
export type Part = keyof typeof parts;

const isCall = (value: unknown): value is AnyCall =>
  typeof value === 'object' &&
  value !== null &&
  'method' in value &&
  'path' in value &&
  'access' in value;

/** Every call with the name of its export (`listClasses`) and of its file (`classes`). */
export const namedCalls: readonly { name: string; part: Part; call: AnyCall }[] = Object.entries(
  parts,
).flatMap(([part, exports]) =>
  Object.entries<unknown>(exports).flatMap(([name, value]) =>
    isCall(value) ? [{ name, part: part as Part, call: value }] : [],
  ),
);

export const calls: readonly AnyCall[] = namedCalls.map(({ call }) => call);
