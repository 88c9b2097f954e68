// A value per day as bars, with the sum, the comparison with the days before, and the numbers as a
// table. The value of a day is read by pointer, by tap and with the arrow keys.
import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react';
import { dayName } from './dates.ts';
import { number } from './locale.ts';

interface DayChartProps {
  title: string;
  points: readonly Point[];
  /** The last day is over. Without it the last one is today. */
  ended?: boolean;
  before: number;
  format: (value: number) => string;
  brief?: (value: number) => string;
  tone?: 'primary' | 'secondary';
}

const tones = { primary: 'text-primary', secondary: 'text-secondary' };

const hatched = {
  backgroundImage:
    'repeating-linear-gradient(135deg, currentColor 0 3px, transparent 3px 6px), linear-gradient(currentColor, currentColor)',
  backgroundSize: 'auto, 100% 2px',
  backgroundRepeat: 'repeat, no-repeat',
};

export function DayChart(props: DayChartProps) {
  const { title, points, ended = false, before, format, brief = format, tone = 'primary' } = props;
  const [picked, setPicked] = useState<number | null>(null);
  const heading = useId();
  const top = roundTop(Math.max(...points.map(({ value }) => value), 0));
  const total = points.reduce((sum, { value }) => sum + value, 0);
  const last = points.length - 1;
  const today = ended ? -1 : last;
  const words = (index: number) => {
    const point = points[index];
    if (!point) return '';
    return `${dayName(point.day)}: ${format(point.value)}${index === today ? ', today so far' : ''}`;
  };

  const point = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - left) / width) * points.length);
    setPicked(Math.min(last, Math.max(0, index)));
  };
  const step = (event: KeyboardEvent) => {
    const at = picked ?? last;
    const to = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setPicked(Math.min(last, Math.max(0, to)));
  };

  return (
    <figure aria-labelledby={heading} className="card-frame">
      <figcaption>
        <h3 id={heading} className="meta">
          {title}
        </h3>
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="text-3xl font-semibold tabular-nums">{format(total)}</span>
          <Comparison total={total} before={before} days={points.length} />
        </p>
      </figcaption>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-xs">
        <div aria-hidden="true" className="muted relative h-36 tabular-nums">
          {/* Gives the column its width. */}
          <span className="invisible">{brief(top)}</span>
          <span className="absolute top-0 right-0 -translate-y-1/2">{brief(top)}</span>
          <span className="absolute top-1/2 right-0 -translate-y-1/2">{brief(top / 2)}</span>
        </div>
        {/* Not an input: it sets nothing, and its track is the bars. */}
        <div
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          role="slider"
          tabIndex={0}
          aria-label={`${title}: the value of a day`}
          aria-orientation="horizontal"
          aria-valuemin={1}
          aria-valuemax={points.length}
          aria-valuenow={(picked ?? last) + 1}
          aria-valuetext={words(picked ?? last)}
          onKeyDown={step}
          onFocus={() => setPicked((at) => at ?? last)}
          onBlur={() => setPicked(null)}
          onPointerDown={point}
          onPointerMove={point}
          onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setPicked(null)}
          className={`border-edge relative flex h-36 touch-pan-y items-end border-b ${tones[tone]}`}
        >
          <i className="border-base-300 absolute inset-x-0 top-0 border-t" />
          <i className="border-base-300 absolute inset-x-0 top-1/2 border-t" />
          {points.map(({ day, value }, index) => (
            <i
              key={day}
              className={`relative flex h-full flex-1 items-end px-px sm:px-0.5 ${index === picked ? 'bg-base-200' : ''}`}
            >
              <i
                className={`w-full rounded-t-sm ${index === today ? '' : 'bg-current'}`}
                style={{
                  height: `max(${(100 * value) / top}%, ${value > 0 ? 3 : 0}px)`,
                  ...(index === today && hatched),
                }}
              />
            </i>
          ))}
          {picked !== null && (
            <span
              className="bg-neutral text-neutral-content rounded-selector pointer-events-none absolute -top-2 z-10 -translate-y-full px-2.5 py-1 font-medium whitespace-nowrap tabular-nums"
              style={placeOf(picked, last)}
            >
              {words(picked)}
            </span>
          )}
        </div>
        <span />
        <div aria-hidden="true" className="muted flex justify-between pt-1.5">
          <span>{dayName(points[0]?.day ?? '')}</span>
          <span>{dayName(points[Math.floor(last / 2)]?.day ?? '')}</span>
          <span>{ended ? dayName(points[last]?.day ?? '') : 'Today'}</span>
        </div>
      </div>
      <DayNumbers title={title} points={points} format={format} />
    </figure>
  );
}

/** Above its bar, and never beyond the edges of the chart. */
const placeOf = (index: number, last: number) =>
  index <= last / 2
    ? { left: `${(100 * index) / (last + 1)}%` }
    : { right: `${(100 * (last - index)) / (last + 1)}%` };

interface ComparisonProps {
  total: number;
  before: number;
  days: number;
}

function Comparison({ total, before, days }: ComparisonProps) {
  if (before === 0) return <span className="muted text-sm">nothing in the {days} days before</span>;
  const change = Math.round((100 * (total - before)) / before);
  return (
    <span className="muted text-sm">
      <span className="font-semibold tabular-nums">
        {change < 0 ? '−' : '+'}
        {number(Math.abs(change))} %
      </span>{' '}
      to the {days} days before
    </span>
  );
}

/** The upper gridline: a round number of which the half is round, too. */
export function roundTop(value: number): number {
  if (value <= 2) return 2;
  const ten = 10 ** Math.floor(Math.log10(value));
  return ten * ([2, 4, 6, 8, 10].find((times) => times * ten >= value) ?? 10);
}

interface Point {
  day: string;
  value: number;
}

interface DayNumbersProps {
  title: string;
  points: readonly Point[];
  format: (value: number) => string;
}

function DayNumbers({ title, points, format }: DayNumbersProps) {
  return (
    <details className="text-sm">
      <summary className="muted w-fit cursor-pointer content-center max-sm:min-h-11">
        Show the numbers
      </summary>
      {/* It scrolls: the keys must reach it. */}
      <section
        aria-label={`${title}, numbers`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="mt-2 max-h-56 overflow-auto"
      >
        <table className="w-full text-left tabular-nums">
          <caption className="sr-only">{title}</caption>
          <thead className="muted">
            <tr>
              <th scope="col">Day</th>
              <th scope="col" className="text-right">
                {title.split(',')[0]}
              </th>
            </tr>
          </thead>
          <tbody>
            {points.toReversed().map(({ day, value }, index) => (
              <tr key={day} className="border-base-300 border-t">
                <th scope="row" className="py-1 font-normal">
                  {dayName(day)}
                  {index === 0 && ' (today so far)'}
                </th>
                <td className="text-right">{format(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
