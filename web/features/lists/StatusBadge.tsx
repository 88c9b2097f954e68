// The state of a class or of a payment as a small word with a colour; the word alone says it.
import type { ClassStatus } from '../../../contract/classes.ts';
import type { Payment } from '../../../contract/payments.ts';

const tones: Record<ClassStatus | Payment['status'], string> = {
  pending: 'badge-warning',
  approved: 'badge-success',
  denied: 'badge-error',
  succeeded: 'badge-success',
  refund_due: 'badge-warning',
  refunded: 'badge-neutral',
  refund_failed: 'badge-error',
  disputed: 'badge-error',
};

export function StatusBadge({ status }: { status: ClassStatus | Payment['status'] }) {
  return (
    <span className={`badge badge-sm badge-soft whitespace-nowrap ${tones[status]}`}>
      {status.replace('_', ' ')}
    </span>
  );
}
