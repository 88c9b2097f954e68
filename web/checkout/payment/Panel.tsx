// What pays, in its frame: the card form, or one button where nothing is to be paid.
import { Elements } from '@stripe/react-stripe-js';
import { Link } from 'react-router';
import { payBasket } from '../../../contract/checkout/checkout.ts';
import { useCall, useSettings } from '../../platform/api/query.ts';
import { readable } from '../../platform/api/send.ts';
import { paths } from '../../platform/paths.ts';
import { Amount } from '../../platform/ui/Amount.tsx';
import { Bar } from '../../platform/ui/Bar.tsx';
import { Button } from '../../platform/ui/Button.tsx';
import { Card } from '../../platform/ui/Card.tsx';
import { Note } from '../../platform/ui/Note.tsx';
import { ErrorNote } from '../../platform/ui/States.tsx';
import { CardForm } from './CardForm.tsx';
import { TimeIsUp } from './Outcome.tsx';
import { uncharged } from './Problem.tsx';
import { type Till, useBooked } from './usePayment.ts';

export const Panel = (till: Till) =>
  till.basket.clientSecret === null ? <Free {...till} /> : <ByCard {...till} />;

function ByCard(till: Till) {
  const { cards } = till.payment;
  if (cards.error)
    return (
      <ErrorNote message={uncharged(cards.error.message)} onRetry={() => void cards.refetch()} />
    );
  return (
    <Elements stripe={cards.data ?? null}>
      <CardForm {...till}>
        <SandboxNote />
        <div className="meta">
          <TermsNote classId={till.basket.lines[0]?.classId} />
          <p>Card details go straight to the card provider. We email you a receipt.</p>
        </div>
      </CardForm>
    </Elements>
  );
}

function Free({ basket, seconds, again }: Till) {
  const pay = useCall(payBasket);
  const showBooked = useBooked();
  const confirm = () =>
    pay.mutate({ id: basket.basketId }, { onSuccess: (paid) => void showBooked(paid) });
  const { swap } = basket;
  const byCredit = basket.creditCents > 0;
  const over = seconds === 0 || pay.error?.code === 'HOLD_EXPIRED';
  return (
    <div className="flex flex-col gap-4">
      <Card title={byCredit && !swap ? 'Your credit pays' : 'Nothing to pay'}>
        <p>
          {swap ? 'Your old seat' : byCredit ? 'Your credit' : 'Your discounts'}
          {swap && byCredit
            ? ' and your credit cover'
            : swap || byCredit
              ? ' covers'
              : ' cover'}{' '}
          the whole price. No card is needed.
        </p>
        {over ? (
          <TimeIsUp what="booked" several={basket.lines.length > 1} onAgain={again} />
        ) : (
          pay.error && <ErrorNote message={uncharged(readable(pay.error))} />
        )}
        <TermsNote />
      </Card>
      {!over && (
        <Bar words={null}>
          <Button className="min-h-12" busy={pay.isPending} onClick={confirm}>
            {swap && !byCredit ? (
              'Change the class'
            ) : byCredit ? (
              <span>
                Pay <Amount cents={basket.creditCents} /> by credit
              </span>
            ) : (
              'Confirm, nothing to pay'
            )}
          </Button>
        </Bar>
      )}
    </div>
  );
}

const link = (words: string, to: string) => (
  <Link to={to} target="_blank" className="link">
    {words}
  </Link>
);

/** In a tab of their own, so that the payment goes on. */
function TermsNote({ classId }: { classId?: string | undefined }) {
  const terms = useSettings().pages.includes('terms') && link('Terms', paths.page('terms'));
  return (
    <p className="meta empty:hidden">
      {terms}
      {terms && classId && ' · '}
      {classId && link('Cancelling', `${paths.class(classId)}#good-to-know`)}
    </p>
  );
}

const tries = [
  ['4242 4242 4242 4242', 'is accepted'],
  ['4000 0025 0000 3155', 'asks you to confirm with the bank'],
  ['4000 0000 0000 0002', 'is declined'],
  ['4000 0000 0000 9995', 'has insufficient funds'],
  ['4000 0000 0000 0069', 'has expired'],
  ['4000 0000 0000 0127', 'has a wrong security code'],
  ['4000 0000 0000 0119', 'meets a processing error'],
] as const;

/** That no money moves in a test shop, and which card numbers do what. */
function SandboxNote() {
  const { cards } = useSettings();
  // Until the settings are known there is no key.
  if (!cards.sandbox || !cards.publishableKey) return null;
  return (
    <Note className="text-sm">
      <p>
        <strong>This is a test shop: no real money moves.</strong> Use{' '}
        <code>4242 4242 4242 4242</code> with any future date and any three digits. Never type a
        real card here.
      </p>
      <details>
        <summary className="flex min-h-11 w-fit cursor-pointer items-center font-semibold">
          More numbers to try
        </summary>
        <ul className="flex flex-col gap-1">
          {tries.map(([number, says]) => (
            <li key={number} className="flex flex-wrap gap-x-3">
              <code className="tabular-nums">{number}</code>
              <span className="muted">{says}</span>
            </li>
          ))}
        </ul>
      </details>
    </Note>
  );
}
