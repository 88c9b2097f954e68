// The form that pays by card: the provider's field, the Pay button, and why a card was refused.
import { CardElement, useElements } from '@stripe/react-stripe-js';
import { type FormEvent, useState } from 'react';
import { clashInWords } from '../../classes/ClashNote.tsx';
import { Amount } from '../../platform/ui/Amount.tsx';
import { Button } from '../../platform/ui/Button.tsx';
import { useTheme } from '../../platform/ui/theme.ts';
import type { Till } from './usePayment.ts';

export function CardForm({ basket, payment, seconds, again }: Till) {
  const elements = useElements();
  const [complete, setComplete] = useState(false);
  /** What the field says of what was typed. */
  const [typo, setTypo] = useState<string | null>(null);
  const clashes = basket.lines.flatMap(({ clashes }) => clashes);
  const [accepted, setAccepted] = useState(clashes.length === 0);
  const { phase, refusal } = payment;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const card = elements?.getElement(CardElement);
    if (card) payment.pay(card);
  };
  const working = phase === 'working' || phase === 'recording' || phase === 'looking';
  const several = basket.lines.length > 1;
  const over = phase === 'over' || (seconds === 0 && !working);
  const problem = typo ?? refusal;
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
        invalid={problem !== null}
        onChange={(isComplete, words) => {
          setComplete(isComplete);
          setTypo(words);
          payment.forget();
        }}
      />
      {problem && (
        <p id="card-error" role="alert" className="text-error font-semibold">
          {problem}
          {!typo && !over && (
            <span className="muted block font-normal">
              Nothing was charged. {several ? 'Your seats are' : 'Your seat is'} still held.
            </span>
          )}
        </p>
      )}
      {over ? (
        <div role="alert" className="alert alert-warning alert-soft flex flex-col items-stretch">
          <p>Time is up. Nothing was charged.</p>
          <Button className="w-full" onClick={again}>
            {several ? 'Hold the seats again' : 'Hold a seat again'}
          </Button>
        </div>
      ) : (
        <Button
          type="submit"
          size="large"
          className="w-full"
          busy={working}
          disabled={!payment.cards.data || !complete || !accepted}
        >
          {phase === 'recording' ? (
            'Recording your payment'
          ) : working ? (
            'One moment'
          ) : (
            <span>
              Pay <Amount cents={basket.totalCents} />
            </span>
          )}
        </Button>
      )}
      {complete && !accepted && !over && (
        <p className="text-warning -mt-2 text-sm font-medium">
          Tick “Book it all the same” above, or change your cart.
        </p>
      )}
    </form>
  );
}

interface CardFieldProps {
  disabled: boolean;
  invalid: boolean;
  onChange: (complete: boolean, problem: string | null) => void;
}

/** The card provider's own field for number, expiry date and security code, in our colours. */
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
