// /dashboard/rollcall: the meetings of the next days as a line. It opens without a network.
import { readable } from '../../platform/api/send.ts';
import { addDays } from '../../../contract/platform/days.ts';
import { paths } from '../../platform/paths.ts';
import { Card } from '../../platform/ui/Card.tsx';
import { LinkButton } from '../../platform/ui/Button.tsx';
import { Line } from '../../platform/ui/Line.tsx';
import { PageHeading } from '../../platform/ui/PageHeading.tsx';
import { EmptyState, ErrorNote, Skeleton } from '../../platform/ui/States.tsx';
import { placed, useNow } from '../../platform/ui/slots.ts';
import { Caller, useCalling, Waiting } from './Caller.tsx';
import { useKeptUntil, useMeetings } from './reads.ts';
import { untilWords } from './words.ts';

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
  const rows = placed(meetings ?? [], useNow());
  const days = Array.from({ length: 8 }, (_, after) => addDays(today, after));
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
      {meetings?.length === 0 && (
        <EmptyState title="No meeting in the next 7 days" drawing="nothing-scheduled" />
      )}
      {rows.length > 0 && (
        <Card title="Your meetings">
          <Line
            today={today}
            days={days.map((day) => ({
              day,
              slots: rows
                .filter(({ row }) => row.day === day)
                .map(({ row: { _id, classId, name, starts, ends, place }, standing, ball }) => ({
                  id: _id,
                  starts,
                  ends,
                  standing,
                  ball,
                  title: name,
                  meta: [place],
                  says: standing !== 'cancelled' && kept?.ids.includes(_id) && 'On this phone',
                  action: standing !== 'cancelled' && (
                    <LinkButton
                      look={ball ? 'primary' : 'outline'}
                      to={paths.dashboard.rollCallOf(classId, _id)}
                      of={`${name}, ${starts}`}
                    >
                      Roll call
                    </LinkButton>
                  ),
                })),
            }))}
          />
        </Card>
      )}
    </div>
  );
}
