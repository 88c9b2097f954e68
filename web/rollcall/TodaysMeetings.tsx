// The meetings that the user teaches today. Without one it is not there.
import { useQuery } from '@tanstack/react-query';
import { listRollCalls, type RollCall } from '../../contract/rollcall/rollcall.ts';
import { query } from '../platform/api/query.ts';
import { paths } from '../platform/paths.ts';
import { LinkButton } from '../platform/ui/Button.tsx';
import { Icon } from '../platform/ui/Icon.tsx';
import { ErrorNote } from '../platform/ui/States.tsx';
import * as icons from '../platform/ui/dashboardicons.ts';

/** `day` is today at the academy. */
export function TodaysMeetings({ day }: { day: string }) {
  const found = useQuery(query(listRollCalls, { from: day, to: day, mine: 'true' }));
  if (found.error && !found.data)
    return (
      <div className="mb-8">
        <ErrorNote
          message="Today's meetings could not be loaded."
          onRetry={() => void found.refetch()}
        />
      </div>
    );
  const meetings = found.data?.items.toReversed() ?? [];
  if (meetings.length === 0) return null;
  return (
    <section aria-labelledby="today" className="mb-8">
      <h2 id="today" className="mb-3 text-lg">
        Today
      </h2>
      <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
        {meetings.map((meeting) => (
          <Card key={meeting.meetingId} meeting={meeting} />
        ))}
      </ul>
    </section>
  );
}

function Card({ meeting }: { meeting: RollCall }) {
  const { meetingId, classId, className, starts, ends, place, over, taken } = meeting;
  const isMissing = over && !taken && meeting.expected > 0;
  return (
    <li className="bg-base-100 border-base-300 rounded-box flex items-center gap-3 border p-4">
      <div className="min-w-0 flex-1">
        <p className="figures text-sm font-medium">
          {starts}–{ends}
          {place && <span className="muted font-normal"> · {place}</span>}
        </p>
        <p className="mt-0.5 font-semibold wrap-anywhere">{className}</p>
        <p className={`mt-1 text-sm ${isMissing ? 'text-error font-medium' : 'muted'}`}>
          {stateOf(meeting)}
        </p>
      </div>
      <LinkButton
        look={taken ? 'outline' : 'primary'}
        to={paths.dashboard.rollCallOf(classId, meetingId)}
        aria-label={`Roll call: ${className}, ${starts}`}
        className="shrink-0 px-3"
      >
        <Icon name={icons.rollCall} /> Roll call
      </LinkButton>
    </li>
  );
}

function stateOf({ expected, present, late, over, taken }: RollCall): string {
  if (taken) return `${present + late} of ${expected} here`;
  if (expected === 0) return 'Nobody is enrolled yet';
  return over ? 'No roll call' : `${expected} expected`;
}
