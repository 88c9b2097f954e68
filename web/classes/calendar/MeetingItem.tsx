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

interface MeetingItemProps {
  item: Item;
  past: boolean;
  inWeek: boolean;
}

export function MeetingItem({ item, past, inWeek }: MeetingItemProps) {
  const { meeting, to, tone, note, seats = false } = item;
  const { name, starts, ends, place, instructor, state, told } = meeting;
  const cancelled = state === 'cancelled';
  const Name = cancelled ? 's' : 'span';
  const look =
    state === 'proposed'
      ? 'border-dashed border-(--tone) bg-base-100'
      : cancelled
        ? 'border-base-300 bg-base-100'
        : 'tinted border-transparent';
  const card = inWeek
    ? '@4xl:flex-col @4xl:gap-0 @4xl:rounded-lg @4xl:py-1.5 @4xl:pr-1.5 @4xl:pl-4'
    : '';
  return (
    <li
      className={`rounded-field relative flex gap-4 border py-3 pr-4 pl-4 ${tone} ${look} ${card} ${past || cancelled ? 'passed' : ''} focus-within:outline-primary hover:border-(--tone)`}
    >
      <span
        aria-hidden="true"
        className={`absolute inset-y-1.5 left-1.5 w-1 rounded-full ${cancelled ? 'bg-base-300' : 'bg-(--tone)'}`}
      />
      <p
        className={`figures w-13 shrink-0 pl-1 font-semibold whitespace-nowrap ${inWeek ? '@4xl:w-auto @4xl:pl-0 @4xl:text-xs @4xl:font-medium' : ''}`}
      >
        {starts}
        <span
          className={`muted block text-sm font-normal ${inWeek ? '@4xl:inline @4xl:text-xs @4xl:before:content-["–"]' : ''}`}
        >
          {ends}
        </span>
      </p>
      <div className="min-w-0 flex-1">
        <Link
          to={to}
          className={`block leading-snug font-semibold hyphens-auto wrap-anywhere after:absolute after:inset-0 after:content-[''] ${inWeek ? '@4xl:line-clamp-3 @4xl:text-sm @4xl:leading-tight' : ''}`}
        >
          <Name>{name}</Name>
        </Link>
        <p className={`muted text-sm ${inWeek ? '@4xl:text-xs' : ''}`}>
          {place}
          <span className={inWeek ? '@4xl:hidden' : ''}>
            {place && ' · '}
            {instructor}
          </span>
        </p>
        {note && <p className={`text-sm ${inWeek ? '@4xl:text-xs' : ''}`}>{note}</p>}
        {told && (
          <p className={`text-sm wrap-anywhere ${inWeek ? '@4xl:line-clamp-2 @4xl:text-xs' : ''}`}>
            {told}
          </p>
        )}
      </div>
      <p
        className={`figures shrink-0 text-right text-sm font-medium ${inWeek ? '@4xl:mt-0.5 @4xl:text-left @4xl:text-xs' : ''}`}
      >
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
