// The payment page with lines, answers of the server and a card provider, for its component tests. A
// test mocks the provider's two packages by this file.
import { fireEvent, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { vi } from 'vitest';
import { getCart } from '../../contract/checkout/cart.ts';
import { openBasket, quoteBasket } from '../../contract/checkout/checkout.ts';
import { settings } from '../../contract/platform/settings.ts';
import type { BasketLine } from '../../contract/platform/lines.ts';
import { Pay } from '../checkout/payment/Pay.tsx';
import { aBasketLine, aCartItem, someSettings } from './samples.ts';
import { answers, show } from './screen.tsx';

export const stripe = {
  retrievePaymentIntent: vi.fn<() => Promise<unknown>>(),
  createPaymentMethod: vi.fn<() => Promise<unknown>>(),
  confirmCardPayment: vi.fn<() => Promise<unknown>>(),
  handleNextAction: vi.fn<() => Promise<unknown>>(),
};
export const intent = (status: string) => ({ paymentIntent: { id: 'pi_1', status } });

/** No card has been asked yet. */
export function newStripe() {
  for (const call of Object.values(stripe)) call.mockReset();
  stripe.retrievePaymentIntent.mockResolvedValue(intent('requires_payment_method'));
  stripe.createPaymentMethod.mockResolvedValue({ paymentMethod: { id: 'pm_1' } });
}

export const loadStripe = async () => stripe;
export const Elements = ({ children }: { children: ReactNode }) => children;
export const useElements = () => ({ getElement: () => ({}) });
export const CardElement = ({ onChange }: { onChange: (event: object) => void }) => (
  <button type="button" onClick={() => onChange({ complete: true })}>
    Type a card
  </button>
);

/** A seat of the item in the cart. */
export const archery = aBasketLine;
export const tennis: BasketLine = {
  ...archery,
  cartItemId: 'i1',
  name: 'Tennis',
  participantId: 'm',
  participant: 'Mia',
  listCents: 9_000,
  cents: 9_000,
};
export const swimming: BasketLine = {
  ...tennis,
  cartItemId: 'i2',
  name: 'Swimming',
  participantId: 'l',
  participant: 'Leo',
  cents: 8_100,
  why: [{ text: 'Sibling discount', cents: 900 }],
};

export function quoted(...lines: BasketLine[]) {
  const sum = (of: 'cents' | 'listCents') => lines.reduce((total, line) => total + line[of], 0);
  const totalCents = sum('cents');
  const savedCents = sum('listCents') - totalCents;
  return { lines, totalCents, savedCents, creditCents: 0, nudges: [] };
}

export const opened = (...lines: BasketLine[]) => ({
  basketId: 'x',
  holdId: 'x',
  clientSecret: 'pi_1_secret_x' as string | null,
  expiresAt: new Date(Date.now() + 552_000).toISOString(),
  ...quoted(...lines),
  cardCents: quoted(...lines).totalCents,
});

export type Replies = NonNullable<NonNullable<Parameters<typeof show>[1]>['replies']>;

/** The page of these seats; what a test answers itself comes first. */
export function pay(lines: BasketLine[], own: Replies = [], state: unknown = null) {
  const replies = [
    ...own,
    answers(quoteBasket, quoted(...lines)),
    answers(openBasket, opened(...lines)),
    answers(getCart, [{ ...aCartItem, schedule: 'Sat 10:00' }]),
    answers(settings, { ...someSettings, cards: { publishableKey: 'pk_1', sandbox: false } }),
  ];
  const items = lines.map(({ cartItemId }) => cartItemId).join(',');
  const search = lines.length > 1 ? `?items=${items}` : items && `?item=${items}`;
  const shown = show(<Pay />, { replies, at: { pathname: '/dashboard/payment', search, state } });
  const posted = () => shown.sent.filter(({ method }) => method === 'POST');
  return { ...shown, posted, answerNow: (...now: Replies) => replies.unshift(...now) };
}

export const press = async (button: string | RegExp) =>
  fireEvent.click(await screen.findByRole('button', { name: button }));
