// Two light charts in plain SVG and CSS that follow the theme: a value per day, and the parts of a
// whole. The numbers are always there as text too. Not for: anything one would need a chart library
// for.
import { useId, useState } from 'react';

export interface Point {
  /** The label under the bar: an ISO day. */
  day: string;
  value: number;
}

interface DayChartProps {
  title: string;
  points: readonly Point[];
  format: (value: number) => string;
  tone?: 'primary' | 'secondary';
}

const width = 600;
const height = 150;
const toneClass = { primary: 'fill-primary', secondary: 'fill-secondary' };

export function DayChart({ title, points, format, tone = 'primary' }: DayChartProps) {
  const [picked, setPicked] = useState<Point | null>(null);
  const heading = useId();
  const top = Math.max(...points.map((point) => point.value), 0);
  const total = points.reduce((sum, point) => sum + point.value, 0);
  const step = width / Math.max(points.length, 1);
  const first = points[0];
  const last = points.at(-1);

  return (
    <figure aria-labelledby={heading} className="card border border-base-300 bg-base-100">
      <div className="card-body gap-3 p-5">
        <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4">
          <h3 id={heading} className="font-semibold">
            {title}
          </h3>
          <span className="muted text-sm tabular-nums">
            {picked
              ? `${dayName(picked.day)}: ${format(picked.value)}`
              : `${format(total)} in ${points.length} days`}
          </span>
        </figcaption>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          className="h-36 w-full"
        >
          {[0.25, 0.5, 0.75, 1].map((part) => (
            <line
              key={part}
              x1="0"
              x2={width}
              y1={height - part * (height - 6)}
              y2={height - part * (height - 6)}
              className="stroke-base-300"
              vectorEffect="non-scaling-stroke"
            />
          ))}
          {points.map((point, index) => {
            const bar = top === 0 ? 0 : (point.value / top) * (height - 6);
            return (
              <g
                key={point.day}
                onPointerEnter={() => setPicked(point)}
                onPointerLeave={() => setPicked(null)}
              >
                <rect
                  x={index * step}
                  y="0"
                  width={step}
                  height={height}
                  className="fill-transparent"
                />
                <rect
                  x={index * step + step * 0.15}
                  y={height - Math.max(bar, 2)}
                  width={step * 0.7}
                  height={Math.max(bar, 2)}
                  rx="2"
                  className={`${bar === 0 ? 'fill-base-300' : toneClass[tone]} ${picked?.day === point.day ? 'opacity-100' : 'opacity-85'}`}
                />
              </g>
            );
          })}
        </svg>
        <div className="flex justify-between text-xs muted" aria-hidden="true">
          <span>{first ? dayName(first.day) : ''}</span>
          <span>{last ? dayName(last.day) : ''}</span>
        </div>
        <details className="text-sm">
          <summary className="w-fit cursor-pointer muted">Show the numbers</summary>
          <ul className="mt-2 grid max-h-48 grid-cols-2 gap-x-6 overflow-y-auto sm:grid-cols-3">
            {points.map((point) => (
              <li key={point.day} className="flex justify-between gap-2 tabular-nums">
                <span className="muted">{dayName(point.day)}</span>
                {format(point.value)}
              </li>
            ))}
          </ul>
        </details>
      </div>
    </figure>
  );
}

/** A day has no time zone: it is named as it is written. */
function dayName(day: string): string {
  return new Date(`${day.slice(0, 10)}T00:00:00Z`).toLocaleDateString('en-US', {
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  });
}

export interface Part {
  label: string;
  value: number;
  tone: 'primary' | 'secondary' | 'accent' | 'neutral' | 'error' | 'base';
}

const barClass: Record<Part['tone'], string> = {
  primary: 'bg-primary',
  secondary: 'bg-secondary',
  accent: 'bg-accent',
  neutral: 'bg-neutral',
  error: 'bg-error',
  base: 'bg-base-300',
};

const number = (value: number) => value.toLocaleString('en-US');

/** The parts of a whole as one bar, with its legend. */
export function PartsChart({ title, parts }: { title: string; parts: readonly Part[] }) {
  const total = parts.reduce((sum, part) => sum + part.value, 0);
  const heading = useId();
  return (
    <figure aria-labelledby={heading} className="card border border-base-300 bg-base-100">
      <div className="card-body gap-3 p-5">
        <figcaption className="flex items-baseline justify-between gap-4">
          <h3 id={heading} className="font-semibold">
            {title}
          </h3>
          <span className="text-2xl font-bold tabular-nums">{number(total)}</span>
        </figcaption>
        <div
          aria-hidden="true"
          className="flex h-3 gap-0.5 overflow-hidden rounded-full bg-base-200"
        >
          {parts.map((part) =>
            part.value > 0 ? (
              <span
                key={part.label}
                className={barClass[part.tone]}
                style={{ flexGrow: part.value }}
              />
            ) : null,
          )}
        </div>
        <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
          {parts.map((part) => (
            <li key={part.label} className="flex items-center gap-2">
              <span aria-hidden="true" className={`size-2.5 rounded-full ${barClass[part.tone]}`} />
              <span className="muted">{part.label}</span>
              <span className="font-semibold tabular-nums">{number(part.value)}</span>
            </li>
          ))}
        </ul>
      </div>
    </figure>
  );
}
