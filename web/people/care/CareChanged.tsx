// Another guardian saved care facts while this form was being filled: shows theirs, and asks which
// count.
import type { CareFacts } from '../../../contract/people/care.ts';
import { careInWords } from '../../../contract/people/carewords.ts';
import { Button } from '../../platform/ui/Button.tsx';

interface CareChangedProps {
  theirs: CareFacts;
  busy: boolean;
  onTheirs: () => void;
  /** Before the form is sent. */
  onMine: () => void;
}

export function CareChanged({ theirs, busy, onTheirs, onMine }: CareChangedProps) {
  return (
    <div
      role="alert"
      className="border-warning/60 bg-base-100 rounded-box flex flex-col gap-3 border p-4"
    >
      <p>
        <strong className="block">Another guardian has just saved these facts</strong>
        Yours are not saved yet. Theirs are:
      </p>
      <ul className="flex flex-col gap-0.5">
        {careInWords(theirs).map((line) => (
          <li key={line} className="whitespace-pre-line wrap-anywhere">
            {line}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button look="outline" onClick={onTheirs}>
          Take theirs
        </Button>
        <Button type="submit" look="outline" busy={busy} onClick={onMine}>
          Save mine instead
        </Button>
      </div>
    </div>
  );
}
