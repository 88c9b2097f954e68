// Time that runs out: minutes and seconds, a bar, and words at two minutes, at thirty seconds and
// at the end, spoken to those who listen.

const warnAt = 120;

export function Countdown({
  label,
  seconds,
  whole,
}: {
  label: string;
  seconds: number;
  whole: number;
}) {
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  const soon = seconds <= warnAt;
  return (
    <div>
      <p className="flex items-baseline justify-between gap-3">
        <span className="muted text-sm">{label}</span>
        <span
          role="timer"
          className={`text-2xl font-bold tabular-nums ${soon ? 'text-error' : ''}`}
        >
          {clock}
        </span>
      </p>
      <progress
        className={`progress mt-1 w-full ${soon ? 'progress-error' : 'progress-primary'}`}
        value={seconds}
        max={whole}
        aria-label="Time left"
      />
      <p
        aria-live="polite"
        className={`text-sm font-semibold ${soon ? 'text-error mt-1' : 'sr-only'}`}
      >
        {announcement(seconds)}
      </p>
    </div>
  );
}

/** Changes three times in all, so that a screen reader does not count aloud. */
function announcement(seconds: number): string {
  if (seconds === 0) return 'The time is over.';
  if (seconds <= 30) return 'Less than 30 seconds left.';
  return seconds <= warnAt ? 'Less than two minutes left.' : '';
}
