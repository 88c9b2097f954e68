// A month as a table of days with holidays. A day opens its agenda next to it or below.
import { useQuery } from '@tanstack/react-query';
import type { KeyboardEvent } from 'react';
import { Link } from 'react-router';
import { addDays, weekdays } from '../../../contract/platform/days.ts';
import { listClosures } from '../../../contract/classes/places.ts';
import { query } from '../../platform/api/query.ts';
import { type Item, MeetingItem } from './MeetingItem.tsx';
import { dayNumber, longDay, type Shown } from './shown.ts';
import { Dots, meetings } from './Week.tsx';

interface MonthProps {
  shown: Shown;
  today: string;
  items: readonly Item[];
  toDay: (day: string) => string;
}

const steps: Record<string, number> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -7,
  ArrowDown: 7,
};

function move(event: KeyboardEvent<HTMLElement>) {
  const by = steps[event.key];
  const { day } = (event.target as HTMLElement).dataset;
  if (by === undefined || !day) return;
  const next = event.currentTarget.querySelector<HTMLElement>(`[data-day="${addDays(day, by)}"]`);
  if (!next) return;
  event.preventDefault();
  next.focus();
}

const inCell = 3;

export function Month({ shown, today, items, toDay }: MonthProps) {
  const closures = useQuery({ ...query(listClosures, {}), staleTime: 60_000 });
  const holidayOn = (day: string) =>
    closures.data?.find(({ firstDay, lastDay }) => firstDay <= day && day <= lastDay)?.name;
  const of = (day: string) => items.filter(({ meeting }) => meeting.day === day);
  const chosen = shown.day ?? shown.days.find((day) => isIn(shown, day) && of(day).length > 0);
  const weeks = Array.from({ length: shown.days.length / 7 }, (_, nth) =>
    shown.days.slice(nth * 7, nth * 7 + 7),
  );
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_21rem]">
      {/* The keys only move the focus between the links. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <table className="month" onKeyDown={move}>
        <caption className="sr-only">{shown.title}</caption>
        <thead>
          <tr>
            {weekdays.map((name) => (
              <th key={name} scope="col" className="muted py-2 text-xs font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day} className="month-day">
                  <Day
                    day={day}
                    to={toDay(day)}
                    items={of(day)}
                    holiday={holidayOn(day)}
                    now={day === today}
                    chosen={day === chosen}
                    past={day < today}
                    outside={!isIn(shown, day)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {chosen && (
        <section aria-labelledby="chosen-day" className="flex flex-col gap-3">
          <h3 id="chosen-day" className="text-lg">
            {longDay(chosen)}
          </h3>
          {holidayOn(chosen) && <p className="font-medium">Holiday: {holidayOn(chosen)}</p>}
          {of(chosen).length > 0 ? (
            <ul className="flex flex-col gap-2">
              {of(chosen).map((item) => (
                <MeetingItem key={item.meeting._id} item={item} past={chosen < today} />
              ))}
            </ul>
          ) : (
            <p className="muted">Nothing is planned on this day.</p>
          )}
        </section>
      )}
    </div>
  );
}

const isIn = ({ month }: Shown, day: string) => month !== null && day.startsWith(month);

interface DayProps {
  day: string;
  to: string;
  items: readonly Item[];
  holiday: string | undefined;
  now: boolean;
  chosen: boolean;
  past: boolean;
  outside: boolean;
}

function Day({ day, to, items, holiday, now, chosen, past, outside }: DayProps) {
  const on = items.filter(({ meeting }) => meeting.state !== 'cancelled');
  return (
    <Link
      to={to}
      preventScrollReset
      data-day={day}
      aria-current={now ? 'date' : undefined}
      className={`absolute inset-0 flex flex-col items-center gap-1 overflow-hidden p-1 lg:items-stretch ${chosen ? 'bg-primary/10' : 'hover:bg-base-200'} ${outside ? 'bg-base-200' : ''} focus-visible:-outline-offset-3`}
    >
      <span className="sr-only">
        {longDay(day)}, {holiday && `holiday: ${holiday}, `}
        {meetings(on.length)}
      </span>
      <span
        aria-hidden="true"
        className={`figures flex size-7 shrink-0 items-center justify-center rounded-full text-sm ${now ? 'bg-primary text-primary-content font-semibold' : outside ? 'muted' : 'font-medium'}`}
      >
        {dayNumber(day)}
      </span>
      {holiday && (
        <span aria-hidden="true" className="muted max-w-full shrink-0 truncate text-xs lg:px-1">
          {holiday}
        </span>
      )}
      <span className="lg:hidden">
        <Dots count={on.length} />
      </span>
      <span aria-hidden="true" className="hidden min-h-0 flex-col gap-0.5 lg:flex">
        {on.slice(0, on.length > inCell ? inCell - 1 : inCell).map(({ meeting, tone }) => (
          <span
            key={meeting._id}
            className={`tinted flex gap-1 truncate rounded px-1 text-xs ${tone} ${past ? 'passed' : ''}`}
          >
            <span className="figures">{meeting.starts}</span>
            <span className="truncate">{meeting.name}</span>
          </span>
        ))}
        {on.length > inCell && (
          <span className="muted px-1 text-xs">{on.length - inCell + 1} more</span>
        )}
      </span>
    </Link>
  );
}
