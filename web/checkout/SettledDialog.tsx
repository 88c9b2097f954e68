// The admin answers a family whom new dates do not suit, and who keeps the seat.
import { answerObjection } from '../../contract/classes/objections.ts';
import { useCall } from '../platform/api/query.ts';
import { TextDialog } from '../platform/ui/TextDialog.tsx';

/** `id` of the enrolment. */
export function SettledDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const settle = useCall(answerObjection);
  return (
    <TextDialog
      title="Settled, keeps the seat"
      label="Words to the family"
      hint="Mailed to them."
      maxLength={500}
      submit="Send"
      sent="Settled"
      send={(words) => settle.mutateAsync({ id, words })}
      onClose={onClose}
    />
  );
}
