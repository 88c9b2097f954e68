// A family's week on the line of time: day by day, and the classes that meet later.
import type { OwnMeeting } from '../../contract/classes/calendar.ts';
import { addDays } from '../../contract/platform/days.ts';
import { paths } from '../platform/paths.ts';
import { dayName } from '../platform/ui/dates.ts';
import { Line, nearName, Slot, type SlotProps } from '../platform/ui/Line.tsx';
import type { Placed } from '../platform/ui/slots.ts';
import { days, type Later, type Week } from './week.ts';
import { Preparing } from './Preparing.tsx';

interface WeekLineProps {
  week: Week;
  /** The ball is on a card above. */
  ballAbove?: boolean;
}

export function WeekLine({ week: { today, meetings, later, people }, ballAbove }: WeekLineProps) {
  return (
    <>
      <Line
        today={today}
        days={Array.from({ length: days }, (_, after) => ({
          day: addDays(today, after),
          slots: meetings
            .filter(({ row }) => row.day === addDays(today, after))
            .map((at) => slotOf(ballAbove ? { ...at, ball: false } : at, people)),
        }))}
      />
      {later.length > 0 && (
        <section aria-labelledby="later" className="mt-4">
          <h3 id="later" className="line-day">
            Later
          </h3>
          <ol>
            {later.map((row, nth) => (
              <Slot
                key={row.enrolmentId}
                {...laterSlot(row, people)}
                {...(nth === 0 && !ballAbove && isEmpty(meetings) && next)}
              />
            ))}
          </ol>
        </section>
      )}
    </>
  );
}

const next = { standing: 'next', ball: true } as const;
const isEmpty = (meetings: Week['meetings']) => !meetings.some(({ ball }) => ball);

/** What comes next, large, with what to know before one leaves. Nothing where nothing is to come. */
export function NextUp({ week: { today, meetings, later, people } }: { week: Week }) {
  const first = meetings.find(({ ball }) => ball);
  const [after] = later;
  const slot = first
    ? {
        ...slotOf(first, people),
        day: nearName(first.row.day, today),
        meta: [first.row.instructor],
        says: preparing(first.row),
        warns: first.row.told,
      }
    : after && {
        ...laterSlot(after, people),
        ...next,
        meta: [],
        says: preparing({ ...after, ...after.next }),
      };
  return (
    slot && (
      <ol className="card-frame next-up">
        <Slot {...slot} />
      </ol>
    )
  );
}

const preparing = ({ classId, place }: { classId: string; place: string | null }) => (
  <Preparing classId={classId} place={place ?? ''} />
);

function slotOf({ row, ...at }: Placed<OwnMeeting>, people: Week['people']) {
  const { _id, name, starts, ends, classId, place, instructor, state, told } = row;
  return {
    ...at,
    id: _id,
    starts,
    ends,
    title: name,
    to: paths.class(classId),
    meta: [place, instructor],
    who: people.filter((person) => row.for?.some(({ id }) => id === person.id)),
    says: told && (state === 'cancelled' ? `Cancelled: ${told}` : told),
  };
}

const laterSlot = (
  { name, classId, next: { day, starts, place }, participantId }: Later,
  people: Week['people'],
): SlotProps => ({
  day: dayName(day),
  starts,
  title: name,
  to: paths.class(classId),
  meta: [place ?? ''],
  who: people.filter(({ id }) => id === participantId),
});
