// What the care facts need before anything else: to be confirmed again, or to be entered again.
import type { CareFacts } from '../../../contract/people/care.ts';
import { attempt } from '../../platform/api/attempt.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { Icon } from '../../platform/ui/Icon.tsx';
import { dateOf } from '../../platform/ui/dates.ts';

interface CareNoteProps {
  facts: CareFacts;
  busy: boolean;
  /** Absent while the form has changes that are not saved. */
  onConfirm: (() => Promise<unknown>) | undefined;
}

export function CareNote({ facts: { state, confirmedAt }, busy, onConfirm }: CareNoteProps) {
  if (state === 'unreadable')
    return (
      <p role="alert" className="border-error/40 rounded-box flex gap-3 border p-4">
        <Icon name="alert" className="text-error size-5 shrink-0" />
        The care facts cannot be read; please enter them again.
      </p>
    );
  if (state !== 'old' || !confirmedAt) return null;
  const confirm = () =>
    attempt(async () => onConfirm?.(), 'Thank you. Care facts confirmed', 'Not confirmed');
  return (
    <div className="border-warning/60 bg-base-100 rounded-box flex flex-wrap items-center gap-3 border p-4">
      <p className="min-w-48 flex-1">
        <strong className="block">Still right?</strong>
        <span className="muted text-sm">Last confirmed on {dateOf(confirmedAt, 'always')}.</span>
      </p>
      <Button
        look="outline"
        busy={busy}
        disabled={!onConfirm}
        className="max-sm:w-full"
        onClick={() => void confirm()}
      >
        Yes, still right
      </Button>
    </div>
  );
}
