// The dialog in which an admin gives a class to another instructor.
import { type Class, handOverClass } from '../../contract/classes/classes.ts';
import { useSendForm } from '../platform/api/form.ts';
import { useCall } from '../platform/api/query.ts';
import { useInstructorChoice } from './useInstructorChoice.tsx';
import { FormDialog } from '../platform/ui/FormDialog.tsx';

export function HandOver({ row, onClose }: { row: Class; onClose: () => void }) {
  const handOver = useCall(handOverClass);
  const { chosen, problem: notFound, fields } = useInstructorChoice({ except: row.instructorId });
  const { props, problem, busy } = useSendForm({
    send: () => handOver.mutateAsync({ id: row._id, to: chosen }),
    onClose,
    sent: 'Handed over',
    fieldOf: () => undefined,
  });

  return (
    <FormDialog
      title={`Hand over ${row.name}`}
      form={{ props, problem: problem ?? notFound, busy }}
      submit="Hand over"
      disabled={chosen === ''}
      onClose={onClose}
    >
      <p className="muted text-sm">
        {row.instructor} teaches it now. Students, payments and the status stay as they are.
      </p>
      {fields}
    </FormDialog>
  );
}
