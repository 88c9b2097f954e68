// The meetings of today as a line: a coach's own, with the next day that has any, or the whole academy's.
import { useQuery } from '@tanstack/react-query';
import { addDays } from '../../contract/platform/days.ts';
import { listRollCalls, type RollCall } from '../../contract/rollcall/rollcall.ts';
import { query, useSettings } from '../platform/api/query.ts';
import { paths } from '../platform/paths.ts';
import { LinkButton } from '../platform/ui/Button.tsx';
import { Card } from '../platform/ui/Card.tsx';
import { todayIn } from '../platform/ui/dates.ts';
import { nearName, Slot } from '../platform/ui/Line.tsx';
import { type Placed, placed, useNow } from '../platform/ui/slots.ts';
import { NotYet, Skeleton } from '../platform/ui/States.tsx';

const daysAhead = 7;

export function Today({ whose, className }: { whose: 'mine' | 'all'; className?: string }) {
  const now = useNow();
  const today = todayIn(useSettings().timeZone, new Date(now));
  const isOwn = whose === 'mine';
  const to = isOwn ? addDays(today, daysAhead) : today;
  const read = useQuery(
    query(listRollCalls, { from: today, to, cancelled: 'true', ...(isOwn && { mine: 'true' }) }),
  );
  const rows = placed(read.data?.items ?? [], now);
  const ofToday = rows.filter(({ row }) => row.day === today);
  const after = rows.filter(({ row }) => row.day > today && row.state === 'on');
  const [first] = after;
  const next = after.filter(({ row }) => row.day === first?.row.day);
  const isOver = ofToday.every(({ standing }) => standing === 'done' || standing === 'cancelled');
  return (
    <Card title="Today" className={className ?? ''}>
      <NotYet of={read}>
        <Skeleton className="h-16" />
      </NotYet>
      {read.data && ofToday.length === 0 && (
        <p className="muted min-h-16 content-center">No meeting today.</p>
      )}
      <Rows rows={ofToday} isOwn={isOwn} />
      {first && (
        <details open={isOver}>
          <summary className="min-h-11 cursor-pointer content-center font-medium">
            {nearName(first.row.day, today)} · {next.length}{' '}
            {next.length === 1 ? 'meeting' : 'meetings'}
          </summary>
          <Rows rows={next} isOwn={isOwn} />
        </details>
      )}
    </Card>
  );
}

const Rows = ({ rows, isOwn }: { rows: readonly Placed<RollCall>[]; isOwn: boolean }) => (
  <ol className="empty:hidden">
    {rows.map((placed) => (
      <Meeting key={placed.row.meetingId} placed={placed} isOwn={isOwn} />
    ))}
  </ol>
);

function Meeting({ placed, isOwn }: { placed: Placed<RollCall>; isOwn: boolean }) {
  const { row, standing, ball } = placed;
  const { meetingId, classId, className, instructor, starts, ends, place, expected, taken } = row;
  const isOff = standing === 'cancelled';
  const isMissing = standing === 'done' && !taken && expected > 0;
  return (
    <Slot
      {...{ starts, ends, standing, ball }}
      title={className}
      to={isOwn ? undefined : paths.dashboard.review(classId)}
      meta={[!isOwn && instructor, place, !taken && standing !== 'done' && !isOff && comingTo(row)]}
      says={
        isOff
          ? row.told && `Cancelled: ${row.told}`
          : taken && `${row.present + row.late} of ${expected} here`
      }
      warns={!isOff && warningOf(row, isMissing)}
      action={
        (isOwn || isMissing) &&
        !isOff && (
          <LinkButton
            look={isOwn && ball && !taken ? 'primary' : 'outline'}
            to={paths.dashboard.rollCallOf(classId, meetingId)}
            of={`${className}, ${starts}`}
          >
            Roll call
          </LinkButton>
        )
      }
    />
  );
}

const warningOf = ({ coached }: RollCall, isMissing: boolean) =>
  isMissing ? 'Roll call is missing' : !coached && 'No coach';

/** `8 expected · 2 first-timers` */
function comingTo({ expected, firstTimers }: RollCall): string {
  if (expected === 0) return 'Nobody is enrolled yet';
  const fresh = firstTimers === 1 ? '1 first-timer' : `${firstTimers} first-timers`;
  return `${expected} expected${firstTimers > 0 ? ` · ${fresh}` : ''}`;
}
