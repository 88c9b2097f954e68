// Before the dates of a booked class are saved: whom it reaches, what changes, and the words.
import { limits } from '../../../contract/platform/limits.ts';
import { TextDialog } from '../../platform/ui/TextDialog.tsx';
import type { Change } from './rows.ts';
import type { Dates } from './useDates.ts';

/** Outside of the form of the class, because it has a form of its own. */
export function TellFamilies({ dates: { question, tell } }: { dates: Dates }) {
  if (!question) return null;
  const { families, clashing, changes, answer } = question;
  return (
    <TextDialog
      title="Tell the families"
      label="What should they know?"
      hint="They read this with the old and the new dates."
      initial={tell}
      maxLength={limits.meeting.tell}
      submit="Save and send"
      send={(words) => Promise.resolve(answer(words.trim()))}
      onClose={() => answer(null)}
    >
      <p>{reachInWords(families, clashing)}</p>
      <ul
        aria-label="What changes"
        className="flex max-h-60 flex-col gap-2 overflow-y-auto text-sm"
      >
        {changes.map((change) => (
          <li key={change.key} className="figures">
            <ChangeInWords before={change.before} after={change.after} />
          </li>
        ))}
      </ul>
    </TextDialog>
  );
}

/** '18 families will be mailed; for 2 of them the new time clashes.' */
function reachInWords(families: number, clashing: number): string {
  if (families === 0) return 'Nobody will be mailed: a seat is only being paid for.';
  const mailed = families === 1 ? '1 family' : `${families} families`;
  if (clashing === 0) return `${mailed} will be mailed.`;
  const theirs = families === 1 ? 'for them' : `for ${clashing} of them`;
  return `${mailed} will be mailed; ${theirs} the new time clashes.`;
}

function ChangeInWords({ before, after }: Omit<Change, 'key'>) {
  if (!after || !before)
    return (
      <>
        {before && <s>{before}</s>}{' '}
        <strong className={`font-medium ${after ? '' : 'text-error'}`}>
          {after ? 'New:' : 'Cancelled'}
        </strong>{' '}
        {after}
      </>
    );
  return (
    <>
      <s className="muted">{before}</s> <span aria-hidden="true">→</span>
      <span className="sr-only">becomes</span> <strong className="font-medium">{after}</strong>
    </>
  );
}
