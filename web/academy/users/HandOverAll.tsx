// The dialog in which an admin gives all classes of an instructor to another one, class by class:
// what the new instructor cannot teach at that time stays and is named.
import { useState } from 'react';
import { handOverClass } from '../../../contract/classes/classes.ts';
import type { UserPage } from '../../../contract/academy/userpage.ts';
import { useSendForm } from '../../platform/api/form.ts';
import { useCall } from '../../platform/api/query.ts';
import { useInstructorChoice } from '../../classes/useInstructorChoice.tsx';
import { FormDialog } from '../../platform/ui/FormDialog.tsx';

export function useHandOver(user: UserPage) {
  const handOver = useCall(handOverClass);
  const choice = useInstructorChoice({ except: user._id });
  // As it was when the dialog opened: the list shrinks with every class.
  const [left, setLeft] = useState(user.teaches);
  /** One by one. Throws the names of those that are refused, when all were tried. */
  const handOverAll = async () => {
    const refused: string[] = [];
    for (const { _id, name } of left)
      try {
        await handOver.mutateAsync({ id: _id, to: choice.chosen });
        setLeft((rest) => rest.filter((one) => one._id !== _id));
      } catch (error) {
        refused.push(`${name}: ${error instanceof Error ? error.message : 'not handed over'}`);
      }
    if (refused.length > 0) throw new Error(refused.join(' '));
  };
  return { ...choice, left, handOverAll };
}

export const inWords = (error: unknown) =>
  error instanceof Error ? error.message : 'That did not work.';

export function HandOverAll({ user, onClose }: { user: UserPage; onClose: () => void }) {
  const { chosen, problem: notFound, fields, left, handOverAll } = useHandOver(user);
  const { props, problem, busy } = useSendForm({
    send: () => handOverAll(),
    onClose,
    sent: 'Handed over',
    fieldOf: () => undefined,
    inWords,
  });
  return (
    <FormDialog
      title={`Hand over the classes of ${user.name}`}
      form={{ props, problem: problem || notFound, busy }}
      submit={left.length === 1 ? 'Hand over' : `Hand over ${left.length} classes`}
      disabled={chosen === '' || left.length === 0}
      onClose={onClose}
    >
      <p className="muted text-sm">
        Students, payments and the status of the classes stay as they are.
      </p>
      <ul className="border-base-300 rounded-field max-h-40 overflow-y-auto border px-4 py-2 text-sm">
        {left.map(({ _id, name, sold }) => (
          <li key={_id} className="flex justify-between gap-4 py-1">
            <span className="min-w-0 wrap-anywhere">{name}</span>
            <span className="muted figures whitespace-nowrap">{sold} sold</span>
          </li>
        ))}
      </ul>
      {fields}
    </FormDialog>
  );
}
