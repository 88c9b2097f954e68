// The admin's refunds: of all that a payment still has, and of a part of one seat (end.ts).
import { overrideEnrolment, refundPayment } from '../../../contract/checkout/payments.ts';
import type { Services } from '../../platform/services.ts';
import { payersOf } from '../payments/rows.ts';
import { giveBackPayment, giveBackSeat } from './end.ts';

export function refundRoutes(deps: Services): void {
  const { on, db, writeAccounts } = deps;

  on(refundPayment, async (asked, { who }) =>
    writeAccounts(who, await payersOf(db, { id: asked.id }), (db) =>
      giveBackPayment(db, { ...asked, askedBy: who.id }, deps),
    ),
  );

  on(overrideEnrolment, async (asked, { who }) =>
    writeAccounts(who, await payersOf(db, { enrolmentId: asked.id }), (db) =>
      giveBackSeat(db, { ...asked, askedBy: who.id }, deps),
    ),
  );
}
