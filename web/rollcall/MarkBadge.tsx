// What a roll call says about a person, as a small word with an icon and a colour.
import type { MarkStatus } from '../../contract/rollcall/marks.ts';
import { type AnyIcon, Icon } from '../platform/ui/Icon.tsx';
import * as icons from '../platform/ui/dashboardicons.ts';

const looks: Record<MarkStatus, readonly [tone: string, icon: AnyIcon]> = {
  present: ['badge-success', icons.circleCheck],
  late: ['badge-warning', 'clock'],
  absent: ['badge-error', icons.circleX],
  excused: ['badge-neutral', icons.mail],
  left: ['badge-info', icons.logout],
};

export function MarkBadge({ status }: { status: MarkStatus }) {
  const [tone, icon] = looks[status];
  return (
    <span className={`badge badge-soft text-xs font-medium whitespace-nowrap ${tone}`}>
      <Icon name={icon} className="size-3.5" stroke={2} />
      {status}
    </span>
  );
}
