// Where each meeting of a line of time stands now, and which one comes next.
import { useEffect, useState } from 'react';

interface Timed {
  startsAt: string;
  /** By the clock of the academy: `16:00`. */
  starts: string;
  ends: string;
  state?: string;
}

export type Standing = 'later' | 'next' | 'now' | 'done' | 'cancelled' | 'proposed';

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/** A meeting may end after midnight. */
export function endOf({ startsAt, starts, ends }: Timed): number {
  const minutes = (minutesOf(ends) - minutesOf(starts) + 1440) % 1440;
  return Date.parse(startsAt) + minutes * 60_000;
}

function standingOf(meeting: Timed, now: number): Standing {
  if (meeting.state === 'cancelled' || meeting.state === 'proposed') return meeting.state;
  if (endOf(meeting) <= now) return 'done';
  return Date.parse(meeting.startsAt) <= now ? 'now' : 'later';
}

export interface Placed<T> {
  row: T;
  standing: Standing;
  /** On one row of all: the first that is under way or still to come. */
  ball: boolean;
}

export function placed<T extends Timed>(rows: readonly T[], now: number): Placed<T>[] {
  const ordered = rows.toSorted((one, other) => (one.startsAt < other.startsAt ? -1 : 1));
  let thrown = false;
  return ordered.map((row) => {
    const standing = standingOf(row, now);
    const ball = !thrown && (standing === 'now' || standing === 'later');
    thrown ||= ball;
    return { row, standing: ball && standing === 'later' ? 'next' : standing, ball };
  });
}

/** The time now, and again every half minute: the ball moves by itself. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
