// What became of a payment that neither failed nor was recorded at once.
import { paths } from '../../../paths.ts';
import { Button, LinkButton } from '../../../ui/Button.tsx';
import { money } from '../../../ui/money.ts';

const outcomes = {
  'recorded later': {
    title: 'You have paid. It is being recorded.',
    text: 'Your card was charged once and your seat is yours. We will record it within a few minutes and email you a receipt. Please do not pay again.',
  },
  processing: {
    title: 'Your bank is still working on it',
    text: 'The payment is neither through nor refused yet. Your seat stays yours meanwhile. Please do not pay again.',
  },
  unknown: {
    title: 'The card service does not answer',
    text: 'We do not know yet whether the payment went through. Your seat is kept. Please do not pay again before you have checked.',
  },
  'part refund': {
    title: 'Some of your money comes back',
    text: 'A class was closed while you were paying. What you paid for it is being returned to your card; this takes some days, depending on your bank. Your receipt shows which classes are booked.',
  },
  refund: {
    title: 'Your money comes back',
    text: 'The class was closed while you were paying. The full amount is being returned to your card; this takes some days, depending on your bank.',
  },
};

export function PaymentOutcome({
  phase,
  onCheck,
  price,
}: {
  phase: keyof typeof outcomes;
  onCheck: () => void;
  price: number;
}) {
  const { title, text } = outcomes[phase];
  return (
    <div role="alert" className="flex flex-col items-start gap-3">
      <h2 className="text-lg">{title}</h2>
      <p>{text}</p>
      <p className="muted text-sm">Amount: {money(price)}</p>
      <div className="flex flex-wrap gap-2">
        {phase !== 'refund' && phase !== 'part refund' && (
          <Button onClick={onCheck}>Check again</Button>
        )}
        <LinkButton look="outline" to={paths.dashboard.paymentHistory}>
          Payment history
        </LinkButton>
      </div>
    </div>
  );
}
