// The days of a week, each with its meetings. On a phone, and as an agenda, one below the other;
// where the calendar has 56rem, in seven columns, where what begins in the same hour is in the same row.
import { type Item, MeetingItem } from './MeetingItem.tsx';
import { dayNumber, longDay, shortWeekday, type Shown } from './shown.ts';

/** Rows of hours: literal words, as Tailwind needs them. The first row has the names of the days. */
const rows =
  'row-start-2 row-start-3 row-start-4 row-start-5 row-start-6 row-start-7 row-start-8 row-start-9 row-start-10 row-start-11 row-start-12 row-start-13 row-start-14 row-start-15 row-start-16 row-start-17 row-start-18 row-start-19 row-start-20 row-start-21 row-start-22 row-start-23 row-start-24 row-start-25'.split(
    ' ',
  );

const hourOf = ({ meeting }: Item) => Number(meeting.starts.slice(0, 2));
const byHour = (items: readonly Item[]) =>
  [...new Set(items.map(hourOf))].map((hour) => ({
    hour,
    items: items.filter((item) => hourOf(item) === hour),
  }));

interface WeekProps {
  shown: Shown;
  today: string;
  items: readonly Item[];
}

export function Week({ shown, today, items }: WeekProps) {
  const inWeek = shown.view === 'week';
  const hours = [...new Set(items.map(hourOf))].toSorted((a, b) => a - b);
  return (
    <div className={inWeek ? 'week-grid' : 'max-w-3xl'}>
      {inWeek &&
        hours.map((hour) => (
          <div key={hour} aria-hidden="true" className={`week-hour figures muted ${rows[hour]}`}>
            {String(hour).padStart(2, '0')}:00
          </div>
        ))}
      <ol aria-label="Days" className="week-days">
        {shown.days.map((day) => {
          const own = items.filter(({ meeting }) => meeting.day === day);
          const look = `${own.length === 0 ? 'week-empty' : ''} ${day === today ? 'week-today' : ''}`;
          return (
            <li key={day} id={`day-${day}`} className={`week-day ${look}`}>
              <h3>
                <span className="week-long">{longDay(day)}</span>
                {day === today && (
                  <span className="week-long text-primary text-sm font-medium">Today</span>
                )}
                {inWeek && (
                  <>
                    <span aria-hidden="true" className="week-short muted text-xs font-medium">
                      {shortWeekday(day)}
                    </span>
                    <span aria-hidden="true" className="week-number figures">
                      {dayNumber(day)}
                    </span>
                  </>
                )}
              </h3>
              {byHour(own).map(({ hour, items: atOnce }) => (
                <ul key={hour} className={`week-meetings ${rows[hour]}`}>
                  {atOnce.map((item) => (
                    <MeetingItem key={item.meeting._id} item={item} past={day < today} />
                  ))}
                </ul>
              ))}
            </li>
          );
        })}
      </ol>
    </div>
  );
}

/** On a phone: the week at a glance. A day leads to its meetings below. */
export function DayStrip({ shown, today, items }: WeekProps) {
  return (
    <nav aria-label="Days of this week" className="day-strip">
      <ol className="grid grid-cols-7">
        {shown.days.map((day) => {
          const count = items.filter(({ meeting }) => meeting.day === day).length;
          const inside = (
            <>
              <span aria-hidden="true" className="muted text-xs">
                {shortWeekday(day).slice(0, 1)}
              </span>
              <span
                aria-hidden="true"
                className={`figures flex size-9 items-center justify-center rounded-full font-semibold ${day === today ? 'bg-primary text-primary-content' : ''}`}
              >
                {dayNumber(day)}
              </span>
              <Dots count={count} />
            </>
          );
          const look = 'flex flex-col items-center gap-0.5 rounded-field py-1';
          return (
            <li key={day}>
              {count > 0 ? (
                <a href={`#day-${day}`} className={look}>
                  {inside}
                  <span className="sr-only">
                    {longDay(day)}, {meetings(count)}
                  </span>
                </a>
              ) : (
                <span className={`${look} passed`} aria-hidden="true">
                  {inside}
                </span>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

export const meetings = (count: number) => (count === 1 ? '1 meeting' : `${count} meetings`);

export function Dots({ count }: { count: number }) {
  return (
    <span aria-hidden="true" className="flex h-1.5 gap-0.5">
      {Array.from({ length: Math.min(3, count) }, (_, nth) => (
        <span key={nth} className="bg-primary size-1.5 rounded-full" />
      ))}
    </span>
  );
}
