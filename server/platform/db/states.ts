// The words of states for which many statements ask. Each is spelt here and nowhere else
// (checks/rules/house.ts). The argument is the name of the row in the statement.
import { deletedDomain } from '../../../contract/platform/rules.ts';
import { sql } from './connection.ts';

/** A seat is counted in `class.held`. */
export const liveHold = (hold = 'hold') =>
  sql<boolean>`${sql.id(hold, 'state')} in ('held', 'releasing')`;
export const isLive = ({ state }: { state: string }) => state === 'held' || state === 'releasing';

/** A seat is counted in `class.sold`. */
export const activeEnrolment = (enrolment = 'enrolment') =>
  sql<boolean>`${sql.id(enrolment, 'state')} = 'active'`;

/** Of a statement with `class`: approved, and its last meeting has not begun. */
export const onSale = sql<boolean>`on_sale(class)`;

/** Of a statement with `class`: denied or cancelled, so that no seat of it is kept for a payment. */
export const closedClass = sql<boolean>`class.status in ('denied', 'cancelled')`;
export const isClosed = ({ status }: { status: string }) =>
  status === 'denied' || status === 'cancelled';

/** The account is deleted: its row stays, without an address. */
export const erasedAccount = (user = 'u') => sql<boolean>`${sql.id(user, 'erased_at')} is not null`;
/** Its name and address from then on. Sign-up refuses the domain. */
export const placeholder = (id: string) => ({
  name: 'Deleted user',
  email: `deleted-${id}${deletedDomain}`,
});
