// The table of all calls. The server implements each exactly once (checks/rules/architecture.test.ts). The
// API page is generated from it.
import * as academy from '../academy/academy.ts';
import * as account from '../signin/account.ts';
import * as announcements from '../classes/announcements.ts';
import * as signin from '../signin/signin.ts';
import * as cancel from '../checkout/cancel.ts';
import * as calendar from '../classes/calendar.ts';
import type { AnyCall } from '../platform/call.ts';
import * as care from '../people/care.ts';
import * as cart from '../checkout/cart.ts';
import * as checkout from '../checkout/checkout.ts';
import * as classes from '../classes/classes.ts';
import * as credit from '../checkout/credit.ts';
import * as discounts from '../checkout/discounts.ts';
import * as exported from '../signin/export.ts';
import * as family from '../people/family.ts';
import * as feeds from '../classes/feeds.ts';
import * as figures from '../academy/figures.ts';
import * as instructors from '../classes/instructors.ts';
import * as join from '../signin/join.ts';
import * as leaving from '../checkout/leaving.ts';
import * as live from '../platform/live.ts';
import * as meetings from '../classes/meetings.ts';
import * as office from '../checkout/sums.ts';
import * as objections from '../classes/objections.ts';
import * as payments from '../checkout/payments.ts';
import * as pictures from '../platform/pictures.ts';
import * as places from '../classes/places.ts';
import * as rollcall from '../rollcall/rollcall.ts';
import * as plans from '../classes/plans.ts';
import * as settings from '../platform/settings.ts';
import * as site from '../academy/site.ts';
import * as steps from '../academy/steps.ts';
import * as staff from '../people/staff.ts';
import * as userpage from '../academy/userpage.ts';
import * as waits from '../checkout/waits.ts';
import * as users from '../people/users.ts';

const { jwt, ...auth } = signin;

const parts = {
  auth,
  identity: { jwt, ...settings },
  users,
  staff: { ...staff, ...userpage },
  join,
  family,
  classes,
  meetings,
  places,
  plans,
  instructors,
  calendar,
  cancel,
  feeds,
  care,
  cart,
  payments,
  objections,
  checkout,
  credit,
  waits,
  discounts,
  leaving,
  rollcall,
  announcements,
  account: { ...account, ...exported },
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
