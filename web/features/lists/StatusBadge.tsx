// The state of a class or of a payment as a small word with an icon and a colour; the word alone
// says it.
import type { ClassStatus } from '../../../contract/classes.ts';
import type { Payment } from '../../../contract/payments.ts';
import { Icon, type IconName } from '../../ui/Icon.tsx';

type Status = ClassStatus | Payment['status'];

const looks: Record<Status, readonly [tone: string, icon: IconName]> = {
  pending: ['badge-warning', 'hourglass'],
  approved: ['badge-success', 'circleCheck'],
  denied: ['badge-error', 'circleX'],
  succeeded: ['badge-success', 'circleCheck'],
  refund_due: ['badge-warning', 'hourglass'],
  refunded: ['badge-neutral', 'receipt'],
  refund_failed: ['badge-error', 'alert'],
  disputed: ['badge-error', 'alert'],
};

export function StatusBadge({ status }: { status: Status }) {
  const [tone, icon] = looks[status];
  return (
    <span className={`badge badge-soft text-xs font-medium whitespace-nowrap ${tone}`}>
      <Icon name={icon} className="size-3.5" stroke={2} />
      {status.replace('_', ' ')}
    </span>
  );
}
