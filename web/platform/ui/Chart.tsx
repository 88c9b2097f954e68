// How much of a whole there is, as a bar in ink. The numbers are always there as text, too.
import { type ReactNode } from 'react';
import { number } from './locale.ts';

export interface Rank {
  id: string;
  label: ReactNode;
  part: number;
  whole: number;
}

export const RankedBars = ({ ranks }: { ranks: readonly Rank[] }) => (
  <ol className="flex flex-col gap-3">
    {ranks.map(({ id, label, part, whole }) => (
      <li key={id} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 text-sm">
        <span className="font-medium wrap-anywhere">{label}</span>
        <span className="muted tabular-nums">
          {number(part)} of {number(whole)}
        </span>
        <FillBar part={part} whole={whole} className="col-span-2" />
      </li>
    ))}
  </ol>
);

interface FillBarProps {
  part: number;
  whole: number;
  className?: string;
}

/** Says nothing to screen readers. */
export const FillBar = ({ part, whole, className = '' }: FillBarProps) => (
  <span
    aria-hidden="true"
    className={`bg-base-300 block h-1.5 overflow-hidden rounded-full ${className}`}
  >
    <span
      className="bg-base-content block h-full rounded-full"
      style={{ width: `${whole > 0 ? Math.min(100, (100 * part) / whole) : 0}%` }}
    />
  </span>
);
