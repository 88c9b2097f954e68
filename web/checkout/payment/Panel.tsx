// What pays, in its frame: the card form, or one button where nothing is to be paid.
import { Elements } from '@stripe/react-stripe-js';
import { Link } from 'react-router';
import { payBasket } from '../../../contract/checkout/checkout.ts';
import { useCall, useSettings } from '../../platform/api/query.ts';
import { readable } from '../../platform/api/send.ts';
import { paths } from '../../platform/paths.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { Card } from '../../platform/ui/Card.tsx';
import { Icon } from '../../platform/ui/Icon.tsx';
import { ErrorNote } from '../../platform/ui/States.tsx';
import * as icons from '../../platform/ui/dashboardicons.ts';
import { CardForm } from './CardForm.tsx';
import { uncharged } from './Problem.tsx';
import { nameOf, type Till, useBooked } from './usePayment.ts';

export const Panel = (till: Till) =>
  till.basket.clientSecret === null ? <Free {...till} /> : <ByCard {...till} />;

function ByCard(till: Till) {
  const { cards } = till.payment;
  return (
    <section
      aria-labelledby="card"
      className="card border border-base-300 bg-base-100 max-lg:order-last"
    >
      <div className="card-body gap-5 p-5 sm:p-7">
        <h2 id="card" className="flex items-center gap-2 text-lg">
          <Icon name={icons.lock} className="text-primary size-5" stroke={2.25} />
          Pay by card
        </h2>
        <SandboxNote />
        {cards.error ? (
          <ErrorNote
            message={uncharged(cards.error.message)}
            onRetry={() => void cards.refetch()}
          />
        ) : (
          <Elements stripe={cards.data ?? null}>
            <CardForm {...till} />
          </Elements>
        )}
        <TermsNote classId={till.basket.lines[0]?.classId} />
        <p className="muted text-sm">
          Card details go straight to the card provider. We email you a receipt.
        </p>
      </div>
    </section>
  );
}

function Free({ basket, seconds, again }: Till) {
  const pay = useCall(payBasket);
  const showBooked = useBooked(nameOf(basket.lines));
  const confirm = () =>
    pay.mutate({ id: basket.basketId }, { onSuccess: (paid) => void showBooked(paid) });
  return (
    <Card title="Nothing to pay">
      <p>Your discounts cover the whole price. No card is needed.</p>
      {pay.error && <ErrorNote message={uncharged(readable(pay.error))} />}
      {seconds === 0 || pay.error?.code === 'HOLD_EXPIRED' ? (
        <div role="alert" className="alert alert-warning alert-soft flex flex-col items-stretch">
          <p>Time is up. Nothing was booked.</p>
          <Button className="w-full" onClick={again}>
            Hold the seats again
          </Button>
        </div>
      ) : (
        <Button size="large" className="w-full" busy={pay.isPending} onClick={confirm}>
          Confirm, nothing to pay
        </Button>
      )}
      <TermsNote />
    </Card>
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
    <p className="muted text-sm empty:hidden">
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
    <div className="rounded-box border border-info/50 bg-info/10 p-4 text-sm">
      <p>
        <strong>This is a test shop: no real money moves.</strong> Use{' '}
        <code>4242 4242 4242 4242</code> with any future date and any three digits. Never type a
        real card here.
      </p>
      <details className="mt-2">
        <summary className="w-fit cursor-pointer font-semibold">More numbers to try</summary>
        <ul className="mt-2 flex flex-col gap-1">
          {tries.map(([number, says]) => (
            <li key={number} className="flex flex-wrap gap-x-3">
              <code className="tabular-nums">{number}</code>
              <span className="muted">{says}</span>
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}
