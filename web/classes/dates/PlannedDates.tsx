// The dates of a class as an admin reviews them: every meeting, with what stands in its way.
import { useState } from 'react';
import type { ManagedClass } from '../../../contract/classes/classes.ts';
import type { ClassMeeting } from '../../../contract/classes/meetings.ts';
import { paths } from '../../platform/paths.ts';
import { dayName } from '../../platform/ui/dates.ts';
import { Notes } from './Notes.tsx';
import { type Check, notesOn, smallPlaces } from './notes.ts';

export function PlannedDates({ item, check }: { item: ManagedClass; check: Check | undefined }) {
  const { meetings = [] } = item;
  const [now] = useState(() => new Date().toISOString());
  if (meetings.length === 0)
    return <p className="muted mt-2">No dates yet: visitors read “Dates will follow”.</p>;
  return (
    <>
      <p className="figures mt-1 font-medium">{item.schedule}</p>
      <Notes notes={smallPlaces(check, item.capacity)} className="mt-3" />
      <ol
        aria-label="Meetings"
        className="divide-base-300 border-base-300 rounded-box mt-3 grid divide-y overflow-hidden border"
      >
        {meetings.map((meeting) => (
          <Planned
            key={meeting._id}
            meeting={meeting}
            isOver={meeting.endsAt <= now}
            check={check}
          />
        ))}
      </ol>
    </>
  );
}

interface PlannedProps {
  meeting: ClassMeeting;
  isOver: boolean;
  check: Check | undefined;
}

function Planned({ meeting, isOver, check }: PlannedProps) {
  const { day, starts, ends, place, state, told } = meeting;
  const isCancelled = state === 'cancelled';
  const notes = isCancelled || isOver ? [] : notesOn(meeting, check);
  const isClash = notes.some(({ kind }) => kind === 'clash');
  const struck = isCancelled ? 'line-through' : '';
  return (
    <li
      className={`flex flex-col gap-1 px-4 py-2.5 text-sm ${isClash ? 'bg-error/10' : ''} ${isOver ? 'muted' : ''}`}
    >
      <p className="figures flex flex-wrap gap-x-4">
        <strong className={`font-semibold whitespace-nowrap sm:min-w-32 ${struck}`}>
          {dayName(day)}
        </strong>
        <span className={`whitespace-nowrap sm:min-w-24 ${struck}`}>
          {starts}–{ends}
        </span>
        <span className={place ? struck : 'muted'}>{place || 'Place not decided'}</span>
        {isCancelled && <span className="text-error font-medium">Cancelled</span>}
      </p>
      <Notes notes={notes} linkTo={paths.dashboard.review} />
      {told && <p className="muted wrap-anywhere">Families were told: {told}</p>}
    </li>
  );
}
