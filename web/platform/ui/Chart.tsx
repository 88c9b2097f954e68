// Charts in plain CSS that follow the theme: the parts of a whole, and a bar for each of a few
// ranked things. The numbers are always there as text too.
import { type ReactNode, useId } from 'react';
import { number } from './locale.ts';

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

export function PartsChart({ title, parts }: { title: string; parts: readonly Part[] }) {
  const total = parts.reduce((sum, part) => sum + part.value, 0);
  const heading = useId();
  return (
    <figure aria-labelledby={heading} className="card border border-base-300 bg-base-100">
      <div className="card-body gap-3 p-5">
        <figcaption className="flex items-baseline justify-between gap-4">
          <h3 id={heading} className="muted text-sm font-medium">
            {title}
          </h3>
          <span className="text-2xl font-semibold tabular-nums">{number(total)}</span>
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

export interface Rank {
  id: string;
  label: ReactNode;
  part: number;
  whole: number;
}

export function RankedBars({
  ranks,
  tone = 'primary',
}: {
  ranks: readonly Rank[];
  tone?: Part['tone'];
}) {
  return (
    <ol className="flex flex-col gap-3">
      {ranks.map(({ id, label, part, whole }) => (
        <li key={id} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 text-sm">
          <span className="truncate font-medium">{label}</span>
          <span className="muted tabular-nums">
            {number(part)} of {number(whole)}
          </span>
          <FillBar part={part} whole={whole} tone={tone} className="col-span-2" />
        </li>
      ))}
    </ol>
  );
}

interface FillBarProps {
  part: number;
  whole: number;
  tone?: Part['tone'];
  className?: string;
}

/** Says nothing to screen readers: the numbers are next to it. */
export function FillBar({ part, whole, tone = 'primary', className = '' }: FillBarProps) {
  return (
    <span
      aria-hidden="true"
      className={`bg-base-300 block h-1.5 overflow-hidden rounded-full ${className}`}
    >
      <span
        className={`block h-full rounded-full ${barClass[tone]}`}
        style={{ width: `${whole > 0 ? Math.min(100, (100 * part) / whole) : 0}%` }}
      />
    </span>
  );
}
