// What is said about a date: clashes in red, holidays and small places as warnings.
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Icon } from '../../platform/ui/Icon.tsx';
import type { Answer } from '../../../contract/platform/call.ts';
import type { checkDates } from '../../../contract/classes/meetings.ts';
import type { Clash } from '../../../contract/platform/clash.ts';

interface NotesProps {
  notes: readonly Note[];
  className?: string;
  linkTo?: (classId: string) => string;
}

export function Notes({ notes, className = '', linkTo }: NotesProps) {
  if (notes.length === 0) return null;
  return (
    <ul className={`flex flex-col gap-1 text-sm font-medium ${className}`}>
      {notes.map(({ kind, words, with: other }) => (
        <li
          key={`${words} ${other?.classId ?? ''}`}
          className={`flex items-start gap-2 ${kind === 'clash' ? 'text-error' : 'text-warning'}`}
        >
          <Icon name={kind === 'clash' ? 'alert' : 'info'} className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 wrap-anywhere">
            {words}{' '}
            {other && linkTo ? (
              <Link to={linkTo(other.classId)} className="link">
                {other.name}
              </Link>
            ) : (
              other?.name
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface MeetingLineProps {
  day: string;
  time: string;
  place: string;
  isCancelled: boolean;
  /** Behind the place. */
  children?: ReactNode;
}

/** Day, time and place of a meeting, struck through when it is cancelled. */
export function MeetingLine({ day, time, place, isCancelled, children }: MeetingLineProps) {
  const struck = isCancelled ? 'line-through decoration-2' : '';
  return (
    <p className="figures flex min-w-0 flex-1 flex-wrap gap-x-3 text-sm">
      <strong className={`font-semibold whitespace-nowrap sm:min-w-30 ${struck}`}>{day}</strong>
      <span className={`whitespace-nowrap sm:min-w-24 ${struck}`}>{time}</span>
      <span className={`min-w-0 wrap-anywhere ${place ? struck : 'muted'}`}>
        {place || 'Place not decided'}
      </span>
      {children}
      {isCancelled && <span className="text-error font-medium">Cancelled</span>}
    </p>
  );
}

export type Check = Answer<typeof checkDates>;

export interface Note {
  /** A clash stands in the way of an approval; the others are warnings. */
  kind: 'clash' | 'warning';
  words: string;
  with?: { classId: string; name: string };
}

const clashWords: Record<Clash['kind'], string> = {
  place: 'The place is taken by',
  instructor: 'The instructor teaches',
  participant: 'At the same time:',
};

/** The clashes and holidays of one meeting. A class that is in the way twice is named once. */
export function notesOn(
  { day, starts }: { day: string; starts: string },
  check: Check | undefined,
): Note[] {
  if (!check) return [];
  const clashes = check.clashes.filter((clash) => clash.day === day && clash.starts === starts);
  const others = new Map(clashes.map((clash) => [clash.classId ?? clash.with, clash]));
  const named = [...others].map(([other, { kind, with: name, classId }]): Note => {
    const isTwice = clashes.filter((one) => (one.classId ?? one.with) === other).length > 1;
    const words = isTwice ? 'Place and instructor are taken by' : clashWords[kind];
    return classId
      ? { kind: 'clash', words, with: { classId, name } }
      : { kind: 'clash', words: `${words} ${name}` };
  });
  const holidays = check.closures
    .filter((closure) => closure.day === day)
    .map(({ name }): Note => ({ kind: 'warning', words: `Holiday: ${name}` }));
  return [...named, ...holidays];
}

/** 'Court 1 takes 8, the class has 20 seats': once for all dates there. */
export const smallPlaces = (check: Check | undefined, seat: number | undefined): Note[] =>
  (check?.tooSmall ?? []).map(({ place, capacity }) => ({
    kind: 'warning',
    words: `${place} takes ${capacity}${seat === undefined ? '' : `, the class has ${seat} seats`}`,
  }));
