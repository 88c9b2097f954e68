// The state of a class or of a payment as a small word with an icon and a colour.
import type { ClassStatus } from '../../contract/classes/classes.ts';
import type { Payment } from '../../contract/checkout/payments.ts';
import { Icon, type AnyIcon } from '../platform/ui/Icon.tsx';
import * as icons from '../platform/ui/dashboardicons.ts';

type Status = ClassStatus | Payment['status'];

const looks: Record<Status, readonly [tone: string, icon: AnyIcon]> = {
  pending: ['badge-warning', icons.hourglass],
  approved: ['badge-success', icons.circleCheck],
  denied: ['badge-error', icons.circleX],
  cancelled: ['badge-error', icons.circleX],
  succeeded: ['badge-success', icons.circleCheck],
  refund_due: ['badge-warning', icons.hourglass],
  refunded: ['badge-neutral', icons.receipt],
  part_refunded: ['badge-neutral', icons.receipt],
  refund_failed: ['badge-error', 'alert'],
  disputed: ['badge-error', 'alert'],
};

export function StatusBadge({ status }: { status: Status }) {
  const [tone, icon] = looks[status];
  return (
    <span className={`badge ${tone}`}>
      <Icon name={icon} className="size-3.5" stroke={2} />
      {status.replace('_', ' ')}
    </span>
  );
}
