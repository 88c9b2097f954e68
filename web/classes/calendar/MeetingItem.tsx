// One meeting: a row of an agenda, or where the calendar has 56rem a small card in the column of its day.
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Meeting } from '../../../contract/classes/meetings.ts';

export interface Item {
  meeting: Meeting;
  to: string;
  /** A class of colour (platform/ui/Who.tsx). */
  tone: string;
  note?: ReactNode;
  seats?: boolean;
}

export function MeetingItem({ item, past }: { item: Item; past: boolean }) {
  const { meeting, to, tone, note, seats = false } = item;
  const { name, starts, ends, place, instructor, state, told } = meeting;
  const cancelled = state === 'cancelled';
  const Name = cancelled ? 's' : 'span';
  return (
    <li className={`meeting meeting-${state} ${tone} ${past || cancelled ? 'passed' : ''}`}>
      <p className="meeting-time figures">
        {starts}
        <span className="muted">{ends}</span>
      </p>
      <div className="min-w-0 flex-1">
        <Link to={to} className="meeting-name">
          <Name>{name}</Name>
        </Link>
        <p className="muted">
          {place}
          <span className="meeting-coach">
            {place && ' · '}
            {instructor}
          </span>
        </p>
        {note && <p>{note}</p>}
        {told && <p className="meeting-told">{told}</p>}
      </div>
      <p className="figures shrink-0 font-medium">
        {cancelled ? (
          <span className="text-error">Cancelled</span>
        ) : state === 'proposed' ? (
          'Proposed'
        ) : seats && !past ? (
          <Seats seat={meeting.seat} />
        ) : null}
      </p>
    </li>
  );
}

function Seats({ seat }: { seat: number }) {
  if (seat <= 0) return <span className="muted">Sold out</span>;
  if (seat <= 3) return <span className="text-warning">{seat} left</span>;
  return <span className="muted">{seat} seats</span>;
}
