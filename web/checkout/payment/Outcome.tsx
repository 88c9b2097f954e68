// What became of a payment that neither failed nor was recorded at once, a bank that still asks, and
// seats whose time is up.
import { useState } from 'react';
import { paths } from '../../platform/paths.ts';
import { Amount } from '../../platform/ui/Amount.tsx';
import { Button, LinkButton } from '../../platform/ui/Button.tsx';
import { Card } from '../../platform/ui/Card.tsx';
import { Note } from '../../platform/ui/Note.tsx';

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

export type After = keyof typeof outcomes;

export const isAfter = (phase: string): phase is After => phase in outcomes;

interface OutcomeProps {
  after: After;
  cents: number;
  onCheck: () => Promise<void>;
}

export function Outcome({ after, cents, onCheck }: OutcomeProps) {
  const [busy, setBusy] = useState(false);
  const check = async () => {
    setBusy(true);
    await onCheck();
    setBusy(false);
  };
  return (
    <div role="alert" className="max-w-2xl">
      <Card title={outcomes[after].title}>
        <p>{outcomes[after].text}</p>
        <p className="muted text-sm">
          Amount: <Amount cents={cents} />
        </p>
        <div className="flex flex-wrap gap-2">
          {after !== 'refund' && after !== 'part refund' && (
            <Button busy={busy} onClick={() => void check()}>
              Check again
            </Button>
          )}
          <LinkButton look="outline" to={paths.dashboard.paymentHistory}>
            Payment history
          </LinkButton>
        </div>
      </Card>
    </div>
  );
}

/** Whoever closed the bank's question is at the card, further down. */
const intoView = (note: HTMLElement | null) => note?.scrollIntoView({ block: 'center' });

export const BankAsks = ({ onGoOn }: { onGoOn: () => void }) => (
  <div ref={intoView} className="mb-4">
    <Note
      tone="warn"
      announced="at once"
      action={<Button onClick={onGoOn}>Continue with my bank</Button>}
    >
      Your bank asked you to confirm this payment, and has no answer yet. Nothing is charged so far.
    </Note>
  </div>
);

interface TimeIsUpProps {
  /** What has not happened. */
  what: 'charged' | 'booked';
  several: boolean;
  onAgain: () => void;
}

export const TimeIsUp = ({ what, several, onAgain }: TimeIsUpProps) => (
  <Note
    tone="warn"
    announced="at once"
    action={<Button onClick={onAgain}>Hold {several ? 'the seats' : 'a seat'} again</Button>}
  >
    <p>Time is up. Nothing was {what}.</p>
  </Note>
);
