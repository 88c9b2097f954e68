// The admin ends the enrolment of a seat whose money is all back or that was free, with a reason.
import { overrideEnrolment } from '../../contract/checkout/payments.ts';
import { useCall } from '../platform/api/query.ts';
import { nameFor } from '../platform/ui/ForWhom.tsx';
import { TextDialog } from '../platform/ui/TextDialog.tsx';
import type { SoldLine } from './PaymentLines.tsx';
import { toldToFamily } from './RefundDialog.tsx';

export function EndDialog({ line, onClose }: { line: SoldLine; onClose: () => void }) {
  const override = useCall(overrideEnrolment);
  return (
    <TextDialog
      title="End the enrolment?"
      label="Reason"
      hint={toldToFamily}
      maxLength={500}
      submit="End the enrolment"
      danger
      sent="Enrolment ended"
      send={(reason) =>
        override.mutateAsync({ id: line.enrolmentId, card: 0, end: true, reason, left: 0 })
      }
      onClose={onClose}
    >
      <p className="wrap-anywhere">
        The enrolment in <strong>{nameFor(line.name, line.participant)}</strong> ends and the seat
        is free again. Nothing goes back to the card. This cannot be undone.
      </p>
    </TextDialog>
  );
}
