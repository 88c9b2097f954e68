// The mark below the amount of a payment that was refunded or disputed. A partial refund also shows
// its amount.
import type { PaymentEntity } from '../../contract/checkout/payments.ts';
import { money } from '../platform/ui/money.ts';
import { StatusBadge } from '../classes/StatusBadge.tsx';

export function RefundMark({ payment: { status, refunded } }: { payment: PaymentEntity }) {
  return (
    <>
      {isReturned(status) && (
        <span className="block">
          <StatusBadge status={status} />
        </span>
      )}
      {refunded !== undefined && (
        <span className="muted block text-xs">{money(refunded)} back</span>
      )}
    </>
  );
}

/**
 * Whether a payment is pending or succeeded is the bookkeeping's affair; a refund is the buyer's.
 */
const isReturned = (status: PaymentEntity['status']) =>
  status !== 'pending' && status !== 'succeeded';
