// The part of /dashboard/payment where a card is typed: the provider's field, the Pay button that
// counts once however often it is pressed, and what became of the payment. Not for: talking to the
// provider (features/checkout/cards.ts) or holding the seat (Payment.tsx).
import { CardElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { Stripe } from '@stripe/stripe-js';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { useNavigate } from 'react-router';
import type { Answer, Input } from '../../../../contract/call.ts';
import { listCart } from '../../../../contract/cart.ts';
import { getClass, listClasses } from '../../../../contract/classes.ts';
import { errors } from '../../../../contract/errors.ts';
import { studentFigures } from '../../../../contract/figures.ts';
import { messages } from '../../../../contract/messages.ts';
import { listEnrolments, listPayments, recordPayment } from '../../../../contract/payments.ts';
import type { createIntent } from '../../../../contract/payments.ts';
import { query, readAgain } from '../../../api/query.ts';
import { ApiError, send } from '../../../api/send.ts';
import { goOn, look, pay } from '../../../features/checkout/cards.ts';
import type { Outcome } from '../../../features/checkout/cards.ts';
import { paths } from '../../../paths.ts';
import { Button, LinkButton } from '../../../ui/Button.tsx';
import { success } from '../../../ui/alert.ts';
import { money } from '../../../ui/money.ts';
import { useTheme } from '../../../ui/theme.ts';

/** Where a payment stands on this page. */
type Phase =
  | {
      at:
        | 'looking'
        | 'ready'
        | 'working'
        | 'unanswered'
        | 'processing'
        | 'over'
        | 'unknown'
        | 'refund';
    }
  | { at: 'recording' | 'recorded later'; transactionId: string };

interface CardFormProps {
  intent: Answer<typeof createIntent>;
  user: { name: string; email: string };
  expired: boolean;
  /** The class was denied while it was being paid for. */
  closed: boolean;
  onClosed: () => void;
  onHoldAgain: () => void;
}

export function CardForm({ intent, user, expired, closed, onClosed, onHoldAgain }: CardFormProps) {
  const stripe = useStripe();
  const elements = useElements();
  const [complete, setComplete] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const { phase, run } = usePayment({ intent, user, stripe, refuse: setRefusal, onClosed });
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
  const over = closed || phase.at === 'over' || (expired && !working);
  return (
    <form onSubmit={submit} aria-label="Card payment" className="flex flex-col gap-5">
      <CardField
        disabled={working || over}
        invalid={refusal !== null}
        onChange={(isComplete, problem) => {
          setComplete(isComplete);
          setRefusal(problem);
        }}
      />
      {refusal && (
        <p id="card-error" role="alert" className="text-error font-semibold">
          {refusal}
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
          <p>
            {closed ? errors.CLASS_CLOSED[1] : 'The time to pay ran out. Nothing has been charged.'}
          </p>
          {closed ? (
            <LinkButton className="w-full" to={paths.classes}>
              See other classes
            </LinkButton>
          ) : (
            <Button className="w-full" onClick={onHoldAgain}>
              Hold a seat again
            </Button>
          )}
        </div>
      ) : (
        <Button
          type="submit"
          size="large"
          className="w-full"
          busy={working}
          disabled={!stripe || !complete}
        >
          {phase.at === 'recording'
            ? 'Recording your payment'
            : working
              ? 'One moment'
              : `Pay ${money(intent.price)}`}
        </Button>
      )}
      <p className="muted text-sm">
        Your card details go straight to the card provider; they never reach us. You get a receipt
        by mail.
      </p>
    </form>
  );
}

interface CardFieldProps {
  disabled: boolean;
  invalid: boolean;
  onChange: (complete: boolean, problem: string | null) => void;
}

function CardField({ disabled, invalid, onChange }: CardFieldProps) {
  const dark = useTheme() === 'dark';
  const ink = dark ? '#eaf2ec' : '#14213d';
  return (
    <fieldset className="min-w-0" aria-describedby={invalid ? 'card-error' : undefined}>
      <legend className="pb-1.5 text-sm font-semibold">
        Card number, expiry date and security code
      </legend>
      <div
        className={`rounded-field border bg-base-100 px-4 py-3.5 focus-within:outline-3 focus-within:outline-offset-2 focus-within:outline-primary ${invalid ? 'border-error' : 'border-base-content/40'}`}
      >
        <CardElement
          options={{
            disabled,
            hidePostalCode: true,
            style: {
              base: {
                color: ink,
                iconColor: ink,
                fontSize: '16px',
                '::placeholder': { color: dark ? '#9fb0a8' : '#5b6477' },
              },
              invalid: {
                color: dark ? '#ff9b93' : '#b91c1c',
                iconColor: dark ? '#ff9b93' : '#b91c1c',
              },
            },
          }}
          onChange={(event) => onChange(event.complete, event.error?.message ?? null)}
        />
      </div>
    </fieldset>
  );
}

/**
 * One payment at a time: the lock is a ref, because three clicks come faster than React draws a
 * disabled button.
 */
function usePayment({
  intent,
  user,
  stripe,
  refuse,
  onClosed,
}: Pick<CardFormProps, 'intent' | 'user' | 'onClosed'> & {
  stripe: Stripe | null;
  refuse: (message: string | null) => void;
}) {
  const [phase, setPhase] = useState<Phase>({ at: 'looking' });
  const locked = useRef(false);
  const navigate = useNavigate();
  const client = useQueryClient();

  const finish = async (transactionId: string) => {
    setPhase({ at: 'recording', transactionId });
    const recorded = await record(transactionId, intent, user);
    void readAgain(client, afterPayment);
    if (!recorded) return setPhase({ at: 'recorded later', transactionId });
    if (recorded.status === 'refund_due' || recorded.status === 'refunded')
      return setPhase({ at: 'refund' });
    void success(messages.paid, messages.transactionComplete);
    await navigate(paths.dashboard.mySelectedClasses, { replace: true });
  };

  /**
   * A payment is cancelled when its time is over or when the class was denied; the cart tells
   * which.
   */
  const isClosed = async () => {
    const cart = await client
      .fetchQuery({ ...query(listCart, { email: user.email }), retry: false })
      .catch(() => []);
    return cart.some(
      ({ itemId, state, inReview }) => itemId === intent.itemId && state === 'closed' && !inReview,
    );
  };

  const go = async (work: () => Promise<Outcome>) => {
    if (locked.current) return;
    locked.current = true;
    try {
      const outcome = await work();
      if (outcome.is === 'paid') return await finish(outcome.transactionId);
      if (outcome.is === 'over' && (await isClosed())) onClosed();
      if (outcome.is === 'refused') refuse(outcome.message);
      setPhase({ at: outcome.is === 'open' || outcome.is === 'refused' ? 'ready' : outcome.is });
    } finally {
      locked.current = false;
    }
  };

  const run = (work: () => Promise<Outcome>) => {
    if (locked.current) return;
    setPhase({ at: 'working' });
    refuse(null);
    void go(work);
  };

  // After a reload the money may have moved already: ask before offering to pay.
  const start = useRef(go);
  useEffect(() => {
    if (stripe) void start.current(() => look(stripe, intent.clientSecret));
  }, [stripe, intent.clientSecret]);

  return { phase, run };
}

const afterPayment = [
  listCart,
  listEnrolments,
  listPayments,
  studentFigures,
  listClasses,
  getClass,
];

/**
 * Three tries with the same body; null when none was answered. The card is charged by now, so this
 * never says "failed".
 */
async function record(
  transactionId: string,
  intent: CardFormProps['intent'],
  user: CardFormProps['user'],
) {
  const body: Input<typeof recordPayment> = {
    transactionId,
    email: user.email,
    customer: user.name,
    itemId: intent.itemId,
    itemName: intent.name,
    price: intent.price,
    date: new Date().toISOString(),
    status: 'pending',
  };
  for (const pause of [0, 1_000, 3_000]) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    try {
      return await send(recordPayment, body);
    } catch (error) {
      // Signed out in between: the provider tells the server by itself.
      if (error instanceof ApiError && error.status === 401) return null;
    }
  }
  return null;
}

const afterwords = {
  'recorded later': {
    title: 'You have paid. It is being recorded.',
    text: 'Your card was charged once and your seat is yours. We could not write it down at once; this happens by itself within a few minutes, and you get a receipt by mail. Please do not pay again.',
  },
  processing: {
    title: 'Your bank is still working on it',
    text: 'The payment is neither through nor refused yet. Your seat stays yours meanwhile. Please do not pay again.',
  },
  unknown: {
    title: 'The card service does not answer',
    text: 'We do not know yet whether the payment went through. Your seat is kept. Please do not pay again before you have checked.',
  },
  refund: {
    title: 'Your money comes back',
    text: 'The class was closed while you were paying. The full amount is being returned to your card; this takes some days, depending on your bank.',
  },
};

function PaymentOutcome({
  phase,
  onCheck,
  price,
}: {
  phase: keyof typeof afterwords;
  onCheck: () => void;
  price: number;
}) {
  const { title, text } = afterwords[phase];
  return (
    <div role="alert" className="flex flex-col items-start gap-3">
      <h2 className="text-xl font-bold">{title}</h2>
      <p>{text}</p>
      <p className="muted text-sm">Amount: {money(price)}</p>
      <div className="flex flex-wrap gap-2">
        {phase !== 'refund' && <Button onClick={onCheck}>Check again</Button>}
        <LinkButton look="outline" to={paths.dashboard.paymentHistory}>
          Payment history
        </LinkButton>
      </div>
    </div>
  );
}
