// The other statuses of a person, and a note, which closing does not lose.
import { useState } from 'react';
import { limits } from '../../../contract/platform/limits.ts';
import type { MarkStatus } from '../../../contract/rollcall/marks.ts';
import type { Row } from '../rows.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { Field } from '../../platform/ui/Field.tsx';
import { Modal } from '../../platform/ui/Modal.tsx';
import { capital } from '../../platform/ui/locale.ts';

interface MarkSheetProps {
  row: Row;
  note: string | undefined;
  readOnly: boolean;
  onMark: (status: MarkStatus, note: string) => void;
  onNote: (note: string) => void;
  onCare: () => void;
  onClose: () => void;
}

const offered: readonly MarkStatus[] = ['present', 'absent', 'late', 'excused', 'left'];

export function MarkSheet({ row, readOnly, onMark, onNote, ...props }: MarkSheetProps) {
  const { onCare, onClose } = props;
  // Not the note of the row as it is now: another coach may have written one meanwhile.
  const [before] = useState(props.note ?? row.mark?.note ?? '');
  const [note, setNote] = useState(before);
  const changed = note.trim() !== before;
  const [leaving, setLeaving] = useState(false);
  const mark = (status: MarkStatus, words = note) => {
    onMark(status, words.trim());
    onClose();
  };
  const leave = (go: () => void) => () => {
    if (changed) onNote(note.trim());
    go();
  };
  const { person } = row;
  const statuses = person ? offered : offered.filter((status) => status !== 'absent');
  return (
    <Modal title={row.name} shape="sheet" onClose={leave(onClose)}>
      {person && (
        <p className="muted -mt-3 text-sm">
          {person.new
            ? 'First meeting of this class.'
            : `Came to ${person.attended} of ${person.of} earlier meetings.`}
        </p>
      )}
      {!readOnly && (
        <>
          <div className="grid grid-cols-2 gap-2">
            {statuses.map((status) => (
              <Button
                key={status}
                look={row.mark?.status === status ? 'primary' : 'outline'}
                className="min-h-12"
                aria-pressed={row.mark?.status === status}
                onClick={() => (status === 'left' && person ? setLeaving(true) : mark(status))}
              >
                {capital(status)}
              </Button>
            ))}
            {!person && (
              <Button look="danger" className="min-h-12" onClick={() => mark('absent')}>
                Remove from the list
              </Button>
            )}
          </div>
          {leaving && <PickUp row={row} onLeft={(words) => mark('left', words || note)} />}
          <Field
            label="Note"
            value={note}
            maxLength={limits.mark.note}
            autoComplete="off"
            hint={
              row.mark
                ? 'Saved when you close this.'
                : 'Saved with the next status that you choose. Until then it is kept on this page only.'
            }
            onChange={(event) => setNote(event.target.value)}
          />
          {row.mark && changed && (
            <Button className="min-h-12" onClick={leave(onClose)}>
              Save the note
            </Button>
          )}
        </>
      )}
      {person?.care && (
        <Button look="outline" className="min-h-12" onClick={leave(onCare)}>
          Care and contacts
        </Button>
      )}
      {person?.reach && (
        <p className="text-sm">
          No emergency contact. A guardian:{' '}
          <a className="link wrap-anywhere" href={`mailto:${person.reach}`}>
            {person.reach}
          </a>
        </p>
      )}
    </Modal>
  );
}

function PickUp({ row, onLeft }: { row: Row; onLeft: (words: string) => void }) {
  const care = row.person?.care;
  const people = [...(care?.pickup ?? []), ...(care?.contacts ?? [])];
  const names = [...new Map(people.map((one) => [one.name, one])).values()];
  return (
    <fieldset className="flex flex-col gap-2 rounded-box border border-base-300 p-3">
      <legend className="px-1 text-sm font-semibold">Who picks {row.name} up?</legend>
      {care?.mayGoAlone && (
        <Button look="outline" className="min-h-12" onClick={() => onLeft('went home alone')}>
          Goes home alone (allowed)
        </Button>
      )}
      {names.map(({ name, relation }) => (
        <Button
          key={name}
          look="outline"
          className="min-h-12"
          onClick={() => onLeft(`picked up by ${name}`.slice(0, limits.mark.note))}
        >
          {relation ? `${name} (${relation})` : name}
        </Button>
      ))}
      {names.length === 0 && (
        <p className="text-sm">
          {care
            ? 'Only the guardians: no other person is named.'
            : 'Who may pick up is shown from 24 hours before the meeting to 12 hours after it.'}
        </p>
      )}
      <Button look="plain" className="min-h-12" onClick={() => onLeft('')}>
        Left, without a name
      </Button>
    </fieldset>
  );
}
