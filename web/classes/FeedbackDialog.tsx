// The dialog in which an admin writes to the instructor of a class.
import { type Class, giveFeedback, type ManagedClass } from '../../contract/classes/classes.ts';
import { limits } from '../../contract/platform/limits.ts';
import { useCall } from '../platform/api/query.ts';
import { TextDialog } from '../platform/ui/TextDialog.tsx';

interface FeedbackDialogProps {
  row: Class | ManagedClass;
  onClose: () => void;
}

export function FeedbackDialog({ row, onClose }: FeedbackDialogProps) {
  const store = useCall(giveFeedback);
  return (
    <TextDialog
      title={`Feedback on ${row.name}`}
      label="Feedback"
      hint={`${row.instructor} reads this in Instructor Classes.`}
      initial={'feedback' in row ? row.feedback : ''}
      maxLength={limits.text}
      submit="Submit"
      sent="Feedback sent"
      send={(feedback) => store.mutateAsync({ id: row._id, feedback })}
      onClose={onClose}
    />
  );
}
