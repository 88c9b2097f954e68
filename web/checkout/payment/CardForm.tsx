// The form that pays by card: what should be known before, the provider's field, why a card was
// refused, and the button, always in view with the reason why it waits.
import { CardElement, useElements } from '@stripe/react-stripe-js';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { BasketLine } from '../../../contract/platform/lines.ts';
import { clashInWords } from '../../classes/ClashNote.tsx';
import { Amount } from '../../platform/ui/Amount.tsx';
import { Bar } from '../../platform/ui/Bar.tsx';
import { Button } from '../../platform/ui/Button.tsx';
import { Card } from '../../platform/ui/Card.tsx';
import { nameFor } from '../../platform/ui/ForWhom.tsx';
import { Icon } from '../../platform/ui/Icon.tsx';
import { Note } from '../../platform/ui/Note.tsx';
import * as icons from '../../platform/ui/dashboardicons.ts';
import { useTheme } from '../../platform/ui/theme.ts';
import { noDates } from '../../platform/ui/WhenWhere.tsx';
import { TimeIsUp } from './Outcome.tsx';
import type { Till } from './usePayment.ts';

const accept = 'Book it all the same';

export function CardForm({ basket, payment, seconds, again, children }: Till & Below) {
  const elements = useElements();
  const [complete, setComplete] = useState(false);
  /** What the field says of what was typed. */
  const [typo, setTypo] = useState<string | null>(null);
  const { lines, cardCents } = basket;
  const clashes = clashesOf(lines);
  const [ticked, setTicked] = useState(false);
  const accepted = ticked || clashes.length === 0;
  const undated = lines.filter((line) => line.undated);
  const { phase, refusal } = payment;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const card = elements?.getElement(CardElement);
    if (card) payment.pay(card);
  };
  const working = phase === 'working' || phase === 'recording' || phase === 'looking';
  const over = phase === 'over' || (seconds === 0 && !working);
  const problem = typo ?? refusal;
  const several = lines.length > 1;
  const waits = !complete ? 'Type your card' : !accepted && `Tick “${accept}”`;
  return (
    <form onSubmit={submit} aria-label="Card payment" className="flex flex-col gap-4">
      {clashes.length + undated.length > 0 && (
        <Note
          tone="warn"
          {...(clashes.length > 0 && {
            tick: { label: accept, checked: ticked, onChange: setTicked },
          })}
        >
          {clashes.map((words) => (
            <p key={words}>{words}</p>
          ))}
          {undated.map(({ cartItemId, name, participant }) => (
            <p key={cartItemId}>
              {nameFor(name, participant)}: {noDates}
            </p>
          ))}
        </Note>
      )}
      <Card
        title={
          <span className="flex items-center gap-2">
            <Icon name={icons.lock} className="text-primary size-5" stroke={2.25} />
            Pay by card
          </span>
        }
      >
        <CardField
          disabled={working || over}
          invalid={problem !== null}
          first={clashes.length === 0}
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
        {over && <TimeIsUp what="charged" several={several} onAgain={again} />}
        {children}
      </Card>
      {!over && (
        <Bar
          words={
            <p id="waits" className="meta">
              {phase === 'recording'
                ? 'Recording your payment'
                : waits || (several ? `${lines.length} seats` : '1 seat')}
            </p>
          }
        >
          <Button
            type="submit"
            className="min-h-12"
            look={phase === 'unanswered' ? 'outline' : 'primary'}
            busy={working}
            disabled={!payment.cards.data || !complete || !accepted}
            aria-describedby="waits"
          >
            {working ? (
              'One moment'
            ) : (
              <span>
                Pay <Amount cents={cardCents} />
              </span>
            )}
          </Button>
        </Bar>
      )}
    </form>
  );
}

interface Below {
  /** In the card, below its field. */
  children: ReactNode;
}

const isSame = (one: BasketLine, other: BasketLine) => one.participantId === other.participantId;

/** Each once: two seats of this payment at the same time would say it twice. */
function clashesOf(lines: readonly BasketLine[]): string[] {
  return lines.flatMap((line, nth) => {
    const isBefore = (name: string) =>
      lines.slice(0, nth).some((other) => other.name === name && isSame(other, line));
    const words = clashInWords(line.clashes.filter((clash) => !isBefore(clash.with)));
    if (!words) return [];
    return lines.length > 1 ? [`${nameFor(line.name, line.participant)}: ${words}`] : [words];
  });
}

interface CardFieldProps {
  disabled: boolean;
  invalid: boolean;
  /** It has the focus at once, unless something was chosen meanwhile. */
  first: boolean;
  onChange: (complete: boolean, problem: string | null) => void;
}

const nothingChosen = () => document.activeElement?.matches('body, #content') ?? true;

/** The card provider's own field for number, expiry date and security code, in our colours. */
function CardField({ disabled, invalid, first, onChange }: CardFieldProps) {
  const dark = useTheme() === 'dark';
  const ink = dark ? '#eaf2ec' : '#14213d';
  return (
    <fieldset className="min-w-0" aria-describedby={invalid ? 'card-error' : undefined}>
      <legend className="pb-1.5 text-sm font-semibold">
        Card number, expiry date and security code
      </legend>
      <div
        className={`rounded-field border bg-base-100 px-4 py-3.5 focus-within:outline-3 focus-within:outline-offset-2 focus-within:outline-primary ${invalid ? 'border-error' : 'border-edge'}`}
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
          onReady={(card) => first && nothingChosen() && card.focus()}
          onChange={(event) => onChange(event.complete, event.error?.message ?? null)}
        />
      </div>
    </fieldset>
  );
}
