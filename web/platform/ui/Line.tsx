// The line of time: its days, a row at each meeting, and the ball on what comes next. Nothing else
// on a page is yellow.
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { addDays } from '../../../contract/platform/days.ts';
import { dayName } from './dates.ts';
import { Ball } from './Logo.tsx';
import type { Standing } from './slots.ts';
import { type Person, Who } from './Who.tsx';

export interface SlotProps {
  starts: string;
  ends?: string | undefined;
  /** Words before the time where the row has no day above it: `Tue 24 Nov`. */
  day?: string | undefined;
  title: string;
  to?: string | undefined;
  standing?: Standing;
  ball?: boolean;
  /** A word of warning in place of the state: a roll call is missing, the dates are new. */
  warns?: string | false | undefined;
  /** What the state says: '7 of 8 here', 'Cancelled: rain', 'held until 14:32'. */
  says?: ReactNode;
  /** Where, with whom; what is empty is left out. */
  meta?: readonly (string | undefined | false)[];
  who?: readonly Person[];
  action?: ReactNode;
}

const spoken: Partial<Record<Standing, string>> = { next: 'Next: ', now: 'Now: ' };

export function Slot(props: SlotProps) {
  const { starts, ends, day, title, to, standing = 'later', ball, warns, says } = props;
  const { meta = [], who = [], action } = props;
  const facts = meta.filter(Boolean).join(' · ');
  const words = standing === 'cancelled' && !says ? 'Cancelled' : says;
  return (
    <li className={`slot slot-${standing} ${day ? 'slot-dated' : ''}`}>
      <p className="slot-time">
        <span className="sr-only">{spoken[standing]}</span>
        {day && <span className="meta block">{day}</span>}
        <time className="time">{starts}</time>
        {ends && (
          <span className="meta block">
            <span className="sr-only"> to </span>
            {ends}
          </span>
        )}
      </p>
      <span className="slot-rail" aria-hidden="true">
        {ball && <Ball className="arrives size-3.5" />}
      </span>
      <div className="min-w-0">
        <p className="slot-title">{to ? <Link to={to}>{title}</Link> : title}</p>
        {facts && <p className="meta">{facts}</p>}
        {who.length > 0 && (
          <p className="mt-1 flex flex-wrap gap-x-3 gap-y-1">
            {who.map((person) => (
              <Who key={person.id} person={person} />
            ))}
          </p>
        )}
        {standing === 'now' && !words && !warns && <p className="slot-says">Now</p>}
        {words && <p className="slot-says">{words}</p>}
        {warns && <p className="slot-says text-warning">{warns}</p>}
      </div>
      {action && <div className="slot-action">{action}</div>}
    </li>
  );
}

interface LineDay {
  day: string;
  slots: readonly (SlotProps & { id: string })[];
}

/** Every day has a heading; days without a meeting that follow each other have one line together. */
export function Line({ days, today }: { days: readonly LineDay[]; today: string }) {
  return (
    <div className="line">
      {folded(days).map(({ from, to, slots }) =>
        slots.length > 0 ? (
          <section key={from} aria-labelledby={`day-${from}`}>
            <h3 id={`day-${from}`} className="line-day">
              <time dateTime={from}>{nearName(from, today)}</time>
            </h3>
            <ol>
              {slots.map(({ id, ...slot }) => (
                <Slot key={id} {...slot} />
              ))}
            </ol>
          </section>
        ) : (
          <p key={from} className="meta line-empty">
            {nearName(from, today)}
            {to !== from && ` – ${nearName(to, today)}`}: nothing
          </p>
        ),
      )}
    </div>
  );
}

/** `Today`, `Tomorrow`, `Fri 27 Nov` */
export function nearName(day: string, today: string): string {
  if (day === today) return 'Today';
  return day === addDays(today, 1) ? 'Tomorrow' : dayName(day);
}

interface Stretch {
  from: string;
  to: string;
  slots: LineDay['slots'];
}

function folded(days: readonly LineDay[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const { day, slots } of days) {
    const last = stretches.at(-1);
    if (last && last.slots.length === 0 && slots.length === 0) last.to = day;
    else stretches.push({ from: day, to: day, slots });
  }
  return stretches;
}
