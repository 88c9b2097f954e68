// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Clash } from '../../../contract/platform/clash.ts';
import { openBasket, quoteBasket } from '../../../contract/checkout/checkout.ts';
import { recordPayment } from '../../../contract/checkout/payments.ts';
import { answers, refuses } from '../../testing/screen.tsx';
import {
  archery,
  intent,
  newStripe,
  opened,
  pay,
  press,
  quoted,
  stripe,
  tennis,
} from '../../testing/till.tsx';

vi.mock('@stripe/react-stripe-js', () => import('../../testing/till.tsx'));
vi.mock('@stripe/stripe-js/dist/pure.mjs', () => import('../../testing/till.tsx'));
beforeEach(newStripe);

const recorded = answers(recordPayment, {
  insertResult: { insertedId: 'p1' },
  status: 'succeeded',
});
const payTwice = async () => {
  fireEvent.click(await screen.findByText('Type a card'));
  const button = await screen.findByRole('button', { name: 'Pay $129.00' });
  await waitFor(() => expect(button).toHaveProperty('disabled', false));
  fireEvent.click(button);
  fireEvent.click(button);
};

describe('a card', () => {
  it('that pays is charged once for two clicks', async () => {
    stripe.confirmCardPayment.mockResolvedValue(intent('succeeded'));
    const { posted, where } = pay([archery], [recorded]);
    await payTwice();
    await waitFor(() => expect(where()).toBe('/dashboard/myselectedclasses'));
    expect(stripe.confirmCardPayment).toHaveBeenCalledTimes(1);
    const posts = posted().filter(({ path }) => path === '/api/payments');
    expect(posts).toHaveLength(1);
    expect(posts[0]?.body).toMatchObject({ transactionId: 'pi_1', itemId: 'c1', price: 129 });
  });

  it('whose answer is lost is found paid, and charged once', async () => {
    stripe.confirmCardPayment.mockImplementation(async () => {
      stripe.retrievePaymentIntent.mockResolvedValue(intent('succeeded'));
      throw new Error('lost');
    });
    const { where } = pay([archery], [recorded]);
    await payTwice();
    await waitFor(() => expect(where()).toBe('/dashboard/myselectedclasses'));
    expect(stripe.confirmCardPayment).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['is declined', 'confirmCardPayment', 'card_error', 'Your card was declined.'],
    ['is not reached', 'createPaymentMethod', 'api_connection_error', 'No connection.'],
    ['is refused by the bank', 'confirmCardPayment', 'invalid_request_error', 'Not you.'],
  ] as const)('that %s was not charged, and may be tried again', async (_, at, type, message) => {
    stripe[at].mockResolvedValue({ error: { type, message } });
    pay([archery]);
    await payTwice();
    const note = await screen.findByText(message);
    expect(note.textContent).toBe(`${message}Nothing was charged. Your seat is still held.`);
    expect(screen.getByRole('button', { name: /^Pay/ })).toHaveProperty('disabled', false);
  });

  it('for a class at the time of another one needs a tick', async () => {
    const clash: Clash = { day: '2027-01-05', starts: '16:00', kind: 'participant', with: 'Judo' };
    pay([{ ...archery, clashes: [clash, { ...clash, day: '2027-01-12' }] }]);
    await screen.findByText(/^Same time as Judo: Tue 5 Jan.*16:00 and 1 more\.$/);
    expect(screen.getByText('Type your card')).toBeTruthy();
    fireEvent.click(screen.getByText('Type a card'));
    const button = await screen.findByRole('button', { name: 'Pay $129.00' });
    expect(screen.getByText('Tick “Book it all the same”')).toBeTruthy();
    expect(button).toHaveProperty('disabled', true);
    fireEvent.click(screen.getByRole('checkbox', { name: 'Book it all the same' }));
    expect(button).toHaveProperty('disabled', false);
  });

  it('for two seats of one child at once is told of it once', async () => {
    const at = { day: '2027-01-05', starts: '16:00', kind: 'participant' as const };
    const judo = { ...tennis, cartItemId: 'i4', name: 'Judo' };
    pay([
      { ...tennis, clashes: [{ ...at, with: 'Judo' }] },
      { ...judo, clashes: [{ ...at, with: 'Tennis' }] },
    ]);
    await screen.findByText(/^Tennis for Mia: Same time as Judo/);
    expect(screen.queryByText(/Same time as Tennis/)).toBeNull();
  });
});

/** Nothing of what comes before a payment. */
const onlyOutcome = () =>
  ['Have a code?', /^Held until/, 'Type a card'].every(
    (words) => screen.queryByText(words) === null,
  );

describe('after a reload', () => {
  it('a paid seat that cannot be recorded is recorded later', async () => {
    stripe.retrievePaymentIntent.mockResolvedValue(intent('succeeded'));
    const { posted, answerNow, where } = pay([archery], [refuses(recordPayment, 'UNAVAILABLE')]);
    const told = await screen.findByText('You have paid. It is being recorded.');
    // At once, not after the last of the three tries.
    expect(posted().length).toBeLessThan(4);
    expect(told.closest('[role=alert]')?.textContent).toMatch(/charged once.*\$129\.00/);
    expect(onlyOutcome()).toBe(true);
    expect(screen.queryByText(/failed/i)).toBeNull();
    answerNow(recorded);
    await press('Check again');
    await waitFor(() => expect(where()).toBe('/dashboard/myselectedclasses'));
  });

  it.each([
    ['processing', 'Your bank is still working on it'],
    ['lost', 'The card service does not answer'],
  ])('a payment that is %s says so, and can be checked', async (status, title) => {
    if (status === 'lost') stripe.retrievePaymentIntent.mockRejectedValue(new Error('lost'));
    else stripe.retrievePaymentIntent.mockResolvedValue(intent(status));
    pay([archery]);
    expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
    expect(onlyOutcome()).toBe(true);
    expect(screen.getByRole('link', { name: 'Payment history' })).toBeTruthy();
    await press('Check again');
    await waitFor(() => expect(stripe.retrievePaymentIntent).toHaveBeenCalledTimes(2));
  });

  it("the bank's question stands above all, and goes on", async () => {
    stripe.retrievePaymentIntent.mockResolvedValue(intent('requires_action'));
    stripe.handleNextAction.mockResolvedValue(intent('succeeded'));
    const { where } = pay([{ ...archery, participant: 'Mia' }], [recorded]);
    const asks = await screen.findByRole('button', { name: 'Continue with my bank' });
    for (const below of ['for Mia', 'Have a code?', 'Type a card']) {
      const where = asks.compareDocumentPosition(screen.getByText(below));
      expect(where).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    }
    fireEvent.click(asks);
    await waitFor(() => expect(where()).toBe('/dashboard/myselectedclasses'));
  });
});

describe('a seat whose time is over', () => {
  beforeEach(() => stripe.retrievePaymentIntent.mockResolvedValue(intent('canceled')));

  it('is not charged, and may be held again', async () => {
    stripe.retrievePaymentIntent.mockResolvedValueOnce(intent('requires_payment_method'));
    const { posted } = pay([archery]);
    await payTwice();
    await screen.findByText('Time is up. Nothing was charged.');
    expect(stripe.confirmCardPayment).not.toHaveBeenCalled();
    await press('Hold a seat again');
    await waitFor(() => expect(posted()).toHaveLength(2));
  });

  it('because its class was denied is no longer offered', async () => {
    const { answerNow } = pay([archery]);
    answerNow(
      answers(quoteBasket, quoted({ ...archery, state: 'closed' })),
      answers(openBasket, opened(archery)),
    );
    const lines = [{ cartItemId: archery.cartItemId, code: 'CLOSED' as const }];
    stripe.retrievePaymentIntent.mockImplementation(async () => {
      answerNow(refuses(openBasket, 'BASKET_REFUSED', undefined, { lines }));
      return intent('canceled');
    });
    expect(await screen.findByText(/^This class is no longer offered\. Nothing/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'See other classes' })).toBeTruthy();
    expect(screen.queryByText(/Time is up/)).toBeNull();
  });
});
