// The admin refunds what a payment still has, in full, with a reason.
import { type Payment, refundPayment } from '../../contract/checkout/payments.ts';
import { useCall } from '../platform/api/query.ts';
import { TextDialog } from '../platform/ui/TextDialog.tsx';
import { price } from '../platform/ui/money.ts';

/** The mail about a refund and about the end of an enrolment has the reason. */
export const toldToFamily = 'Kept in the audit log and told to the family.';

export const isRefundable = ({ status, leftCents }: Payment) =>
  leftCents > 0 && ['pending', 'succeeded', 'part_refunded'].includes(status);

const whereTo = (card: number, credit: number) =>
  credit === 0
    ? 'on the card'
    : card === 0
      ? 'as credit'
      : `: ${price(card)} on the card, ${price(credit)} as credit`;

export function RefundDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const refund = useCall(refundPayment);
  const { paymentId, cents, cardCents, backCents, leftCents, seats } = payment;
  const rest = price(leftCents);
  const card = Math.min(leftCents, cardCents - backCents);
  return (
    <TextDialog
      title={`Refund ${rest}?`}
      label="Reason"
      hint={toldToFamily}
      maxLength={500}
      submit={`Refund ${rest}`}
      cancel="Keep the payment"
      danger
      sent="Refund started"
      send={(reason) => refund.mutateAsync({ id: paymentId, reason })}
      onClose={onClose}
    >
      <p>
        {payment.customer} gets {leftCents < cents ? 'the rest' : 'the full amount'} for{' '}
        <strong>{payment.itemName}</strong> back {whereTo(card, leftCents - card)}.{' '}
        {seats > 1
          ? 'All enrolments of this payment end and the seats are free again.'
          : 'The enrolment ends and the seat is free again.'}{' '}
        This cannot be undone.
      </p>
    </TextDialog>
  );
}
