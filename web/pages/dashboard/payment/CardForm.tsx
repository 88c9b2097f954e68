// The form that pays by card: the provider's field, the Pay button, and what became of the payment.
// Not for: holding the seat (Checkout.tsx).
import { CardElement, useElements, useStripe } from '@stripe/react-stripe-js';
import { type FormEvent, useState } from 'react';
import { classClosed } from '../../../../contract/closed.ts';
import { goOn, look, pay } from '../../../features/checkout/cards.ts';
import { clashInWords } from '../../../features/classes/ClashNote.tsx';
import { paths } from '../../../paths.ts';
import { Button, LinkButton } from '../../../ui/Button.tsx';
import { money } from '../../../ui/money.ts';
import { CardField } from './CardField.tsx';
import { PaymentOutcome } from './PaymentOutcome.tsx';
import { TermsNote } from './TermsNote.tsx';
import { type Purchase, usePayment } from './usePayment.ts';

export interface CardFormProps extends Purchase {
  expired: boolean;
  /** The class was denied while it was being paid for. */
  closed: boolean;
  onHoldAgain: () => void;
}

export function CardForm({ intent, user, expired, closed, onClosed, onHoldAgain }: CardFormProps) {
  const stripe = useStripe();
  const elements = useElements();
  const [complete, setComplete] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isDeclined, setIsDeclined] = useState(false);
  const refuse = (message: string | null, declined = false) => {
    setRefusal(message);
    setIsDeclined(declined);
  };
  const clashes = intent.clashes ?? [];
  const [accepted, setAccepted] = useState(clashes.length === 0);
  const { phase, run } = usePayment({ intent, user, stripe, refuse, onClosed });
  const card = () => elements?.getElement(CardElement) ?? null;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const element = card();
    if (stripe && element) run(() => pay(stripe, intent.clientSecret, element, user));
  };
  const working = phase.at === 'working' || phase.at === 'recording' || phase.at === 'looking';

  if (
    phase.at === 'recorded later' ||
    phase.at === 'processing' ||
    phase.at === 'refund' ||
    phase.at === 'part refund' ||
    phase.at === 'unknown'
  ) {
    return (
      <PaymentOutcome
        phase={phase.at}
        onCheck={() => stripe && run(() => look(stripe, intent.clientSecret))}
        price={intent.price}
      />
    );
  }
  const several = (intent.classIds?.length ?? 1) > 1;
  const over = closed || phase.at === 'over' || (expired && !working);
  return (
    <form onSubmit={submit} aria-label="Card payment" className="flex flex-col gap-5">
      {clashes.length > 0 && (
        <div className="alert alert-warning alert-soft flex flex-col items-start">
          <p>{clashInWords(clashes)}</p>
          <label className="flex min-h-11 cursor-pointer items-center gap-3 font-medium">
            <input
              type="checkbox"
              className="checkbox checkbox-primary rounded-md"
              checked={accepted}
              onChange={(event) => setAccepted(event.target.checked)}
            />
            Book it all the same
          </label>
        </div>
      )}
      <CardField
        disabled={working || over}
        invalid={refusal !== null}
        onChange={(isComplete, problem) => {
          setComplete(isComplete);
          refuse(problem);
        }}
      />
      {refusal && (
        <p id="card-error" role="alert" className="text-error font-semibold">
          {refusal}
          {isDeclined && !over && (
            <span className="muted block font-normal">
              Nothing was charged. {several ? 'Your seats are' : 'Your seat is'} still held.
            </span>
          )}
        </p>
      )}
      {phase.at === 'unanswered' && stripe && !over && (
        <div role="alert" className="alert alert-warning alert-soft flex-wrap">
          <p className="min-w-0 flex-1">
            Your bank asked you to confirm this payment, and has no answer yet. Nothing is charged
            so far.
          </p>
          <Button size="small" onClick={() => run(() => goOn(stripe, intent.clientSecret))}>
            Continue with my bank
          </Button>
        </div>
      )}
      {over ? (
        <div role="alert" className="alert alert-warning alert-soft flex flex-col items-stretch">
          <p>{closed ? classClosed : 'Time is up. Nothing was charged.'}</p>
          {closed ? (
            <LinkButton className="w-full" to={paths.classes}>
              See other classes
            </LinkButton>
          ) : (
            <Button className="w-full" onClick={onHoldAgain}>
              {several ? 'Hold the seats again' : 'Hold a seat again'}
            </Button>
          )}
        </div>
      ) : (
        <Button
          type="submit"
          size="large"
          className="w-full"
          busy={working}
          disabled={!stripe || !complete || !accepted}
        >
          {phase.at === 'recording'
            ? 'Recording your payment'
            : working
              ? 'One moment'
              : `Pay ${money(intent.price)}`}
        </Button>
      )}
      {complete && !accepted && !over && (
        <p className="text-warning -mt-2 text-sm font-medium">
          Tick “Book it all the same” above, or change your cart.
        </p>
      )}
      <TermsNote classId={intent.itemId} />
      <p className="muted text-sm">
        Card details go straight to the card provider. We email you a receipt.
      </p>
    </form>
  );
}
