// How much of a whole there is, as a bar in ink. The numbers are always there as text, too.

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
