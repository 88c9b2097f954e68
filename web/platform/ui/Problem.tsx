import { Button } from './Button.tsx';

/** What went wrong with the whole form; announced when it appears. */
export function Problem({
  text,
  onRetry,
}: {
  text: string | null;
  onRetry?: (() => void) | undefined;
}) {
  if (!text) return null;
  return (
    <div
      role="alert"
      className="border-error/40 text-error rounded-field flex flex-wrap items-center justify-between gap-3 border px-4 py-3 text-sm font-medium"
    >
      <p>{text}</p>
      {onRetry && (
        <Button size="small" look="outline" onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  );
}
