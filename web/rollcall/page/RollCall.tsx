// /dashboard/rollcall: the meetings of the next days. It opens without a network.
import { Link } from 'react-router';
import { readable } from '../../platform/api/send.ts';
import type { Planned } from '../store.ts';
import { paths } from '../../platform/paths.ts';
import { Icon } from '../../platform/ui/Icon.tsx';
import { PageHeading } from '../../platform/ui/PageHeading.tsx';
import { EmptyState, ErrorNote, Skeleton } from '../../platform/ui/States.tsx';
import { Caller, useCalling, Waiting } from './Caller.tsx';
import { useKeptUntil, useMeetings } from './reads.ts';
import { dayWords, untilWords } from './words.ts';

export function RollCall() {
  return (
    <Caller>
      <Meetings />
    </Caller>
  );
}

function Meetings() {
  const { me, opensOffline } = useCalling();
  const { meetings, today, fresh, isPending } = useMeetings(me);
  const kept = useKeptUntil(me, meetings, today);
  const now = meetings?.filter(({ day }) => day === today) ?? [];
  const later = meetings?.filter(({ day }) => day > today) ?? [];
  const next = later.find(({ state }) => state === 'on');
  return (
    <div className="max-w-3xl">
      <PageHeading title="Roll Call">
        {kept?.until && opensOffline
          ? `Works without a network. Kept on this phone until ${untilWords(kept.until)}.`
          : 'Who came, meeting by meeting.'}
      </PageHeading>
      <Waiting always />
      {!meetings && (isPending || fresh.isFetching) && (
        <div aria-busy="true" className="flex flex-col gap-3">
          <Skeleton className="h-20" />
          <Skeleton className="h-20" />
        </div>
      )}
      {!meetings && !isPending && !fresh.isFetching && (
        <ErrorNote
          message={fresh.error ? readable(fresh.error) : 'Your meetings are not on this phone yet.'}
          onRetry={() => void fresh.refetch()}
        />
      )}
      {meetings && now.length === 0 && (
        <EmptyState title="No meeting today" drawing="nothing-scheduled">
          {next
            ? `Next: ${next.name}, ${dayWords(next.day, today)} ${next.starts}.`
            : 'None in the next 7 days.'}
        </EmptyState>
      )}
      <MeetingList title="Today" meetings={now} today={today} keptIds={kept?.ids ?? []} />
      <MeetingList title="Next 7 days" meetings={later} today={today} keptIds={kept?.ids ?? []} />
    </div>
  );
}

interface ListProps {
  title: string;
  meetings: readonly Planned[];
  today: string;
  keptIds: readonly (string | null)[];
}

function MeetingList({ title, meetings, today, keptIds }: ListProps) {
  if (meetings.length === 0) return null;
  return (
    <section className="mt-6">
      <h2 className="text-lg">{title}</h2>
      <ul className="mt-3 flex flex-col gap-3">
        {meetings.map((meeting) => (
          <li key={meeting._id}>
            <MeetingLink meeting={meeting} today={today} kept={keptIds.includes(meeting._id)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function MeetingLink({ meeting, today, kept }: { meeting: Planned; today: string; kept: boolean }) {
  const { name, day, starts, ends, place, state, classId, _id } = meeting;
  const off = state === 'cancelled';
  return (
    <Link
      to={paths.dashboard.rollCallOf(classId, _id)}
      className="flex min-h-18 items-center gap-3 rounded-box border border-base-300 bg-base-100 p-4 hover:border-primary"
    >
      <span className={`figures shrink-0 text-lg font-semibold ${off ? 'line-through' : ''}`}>
        {starts}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block text-lg leading-tight font-semibold wrap-anywhere">{name}</span>
        <span className="muted figures block text-sm">
          {[day !== today && dayWords(day, today), `until ${ends}`, place]
            .filter(Boolean)
            .join(' · ')}
        </span>
        {off && <span className="badge badge-error mt-1">Cancelled</span>}
        {kept && !off && (
          <span className="mt-1 flex items-center gap-1.5 text-sm font-medium text-success">
            <Icon name="check" className="size-4" /> On this phone
          </span>
        )}
      </span>
      <Icon name="right" className="size-5 shrink-0" />
    </Link>
  );
}
