// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Clash } from '../../../../contract/clash.ts';
import { listCart } from '../../../../contract/cart.ts';
import { errors } from '../../../../contract/errors.ts';
import { type createIntent, recordPayment } from '../../../../contract/payments.ts';
import type { Answer } from '../../../../contract/call.ts';
import { answers, aUser, show } from '../../../testing/screen.tsx';
import { CardForm } from './CardForm.tsx';

const stripe = {
  retrievePaymentIntent: vi.fn<() => Promise<unknown>>(),
  createPaymentMethod: vi.fn<() => Promise<unknown>>(),
  confirmCardPayment: vi.fn<() => Promise<unknown>>(),
  handleNextAction: vi.fn<() => Promise<unknown>>(),
};

vi.mock('@stripe/react-stripe-js', () => ({
  useStripe: () => stripe,
  useElements: () => ({ getElement: () => ({}) }),
  CardElement: ({ onChange }: { onChange: (event: object) => void }): ReactNode => (
    <button type="button" onClick={() => onChange({ complete: true })}>
      Type a card
    </button>
  ),
}));

const intent: Answer<typeof createIntent> = {
  clientSecret: 'pi_1_secret',
  holdId: 'h1',
  expiresAt: '2026-11-16T12:15:00.000Z',
  itemId: 'c1',
  name: 'Archery Basics',
  price: 129,
};

const provider = (status: string) => ({ paymentIntent: { id: 'pi_1', status } });
const declined = { error: { type: 'card_error', message: 'Your card was declined.' } };

beforeEach(() => {
  for (const call of Object.values(stripe)) call.mockReset();
  stripe.retrievePaymentIntent.mockResolvedValue(provider('requires_payment_method'));
  stripe.createPaymentMethod.mockResolvedValue({ paymentMethod: { id: 'pm_1' } });
});

function form({
  expired = false,
  closed = false,
  clashes = undefined as Clash[] | undefined,
} = {}) {
  const calls = { onClosed: vi.fn<() => void>(), onHoldAgain: vi.fn<() => void>() };
  const shown = show(
    <CardForm
      intent={{ ...intent, clashes }}
      user={aUser}
      expired={expired}
      closed={closed}
      {...calls}
    />,
    {
      replies: [
        answers(recordPayment, { insertResult: { insertedId: 'p1' }, status: 'succeeded' }),
        answers(listCart, []),
      ],
    },
  );
  return { ...shown, ...calls };
}

async function pay() {
  const button = await screen.findByRole('button', { name: 'Pay $129.00' });
  fireEvent.click(screen.getByRole('button', { name: 'Type a card' }));
  await waitFor(() => expect(button).toHaveProperty('disabled', false));
  fireEvent.click(button);
  fireEvent.click(button);
}

describe('the card form', () => {
  it('records a payment that went through, once for two clicks, and leads to the cart', async () => {
    stripe.confirmCardPayment.mockResolvedValue(provider('succeeded'));
    const { sent, where } = form();
    await pay();
    await waitFor(() => expect(where()).toBe('/dashboard/myselectedclasses'));
    expect(stripe.confirmCardPayment).toHaveBeenCalledTimes(1);
    const posts = sent.filter(({ method }) => method === 'POST');
    expect(posts).toHaveLength(1);
    expect(posts[0]?.body).toMatchObject({ transactionId: 'pi_1', itemId: 'c1', price: 129 });
  });

  it("shows the provider's words for a declined card, and can be tried again", async () => {
    stripe.confirmCardPayment.mockResolvedValue(declined);
    form();
    await pay();
    expect((await screen.findByRole('alert')).textContent).toContain('Your card was declined.');
    expect(screen.getByRole('alert').textContent).toContain(
      'Nothing was charged. Your seat is still held.',
    );
    expect(screen.getByRole('button', { name: /^Pay/ })).toHaveProperty('disabled', false);
  });

  it('says that nothing was charged only when the provider has said so', async () => {
    stripe.createPaymentMethod.mockResolvedValue({
      error: { type: 'api_connection_error', message: 'No connection.' },
    });
    form();
    await pay();
    expect((await screen.findByRole('alert')).textContent).toBe('No connection.');
  });

  it('records a payment that went through before a reload, without asking for a card', async () => {
    stripe.retrievePaymentIntent.mockResolvedValue(provider('succeeded'));
    const { where } = form();
    await waitFor(() => expect(where()).toBe('/dashboard/myselectedclasses'));
    expect(stripe.confirmCardPayment).not.toHaveBeenCalled();
  });

  it.each([
    ['processing', 'Your bank is still working on it'],
    ['no answer', 'The card service does not answer'],
  ])('of a payment that is %s says so and offers to check again', async (status, title) => {
    if (status === 'no answer') stripe.retrievePaymentIntent.mockRejectedValue(new Error('lost'));
    else stripe.retrievePaymentIntent.mockResolvedValue(provider(status));
    form();
    expect((await screen.findByRole('heading')).textContent).toBe(title);
    expect(screen.getByRole('link', { name: 'Payment history' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Check again' }));
    await waitFor(() => expect(stripe.retrievePaymentIntent).toHaveBeenCalledTimes(2));
  });

  it('goes on with the question of the bank', async () => {
    stripe.retrievePaymentIntent.mockResolvedValue(provider('requires_action'));
    stripe.handleNextAction.mockResolvedValue(provider('succeeded'));
    const { where } = form();
    fireEvent.click(await screen.findByRole('button', { name: 'Continue with my bank' }));
    await waitFor(() => expect(where()).toBe('/dashboard/myselectedclasses'));
  });

  it('offers to hold a seat again when the time is over', async () => {
    stripe.retrievePaymentIntent.mockResolvedValue(provider('canceled'));
    const { onHoldAgain } = form({ expired: true });
    fireEvent.click(await screen.findByRole('button', { name: 'Hold a seat again' }));
    expect(onHoldAgain).toHaveBeenCalledTimes(1);
    expect(screen.getByRole('alert').textContent).toContain('Nothing');
  });

  it('offers other classes when the class was denied meanwhile', async () => {
    form({ closed: true });
    expect((await screen.findByRole('alert')).textContent).toContain(errors.CLASS_CLOSED[1]);
    expect(screen.getByRole('link', { name: 'See other classes' })).toBeTruthy();
  });
});

it('asks for a tick before it pays for a class that meets at the same time as another', async () => {
  const clash: Clash = { day: '2027-01-05', starts: '16:00', kind: 'participant', with: 'Judo' };
  form({ clashes: [clash, { ...clash, day: '2027-01-12' }] });
  expect(
    await screen.findByText(/^Same time as Judo: Tue 5 Jan.*16:00 and 1 more\.$/),
  ).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Type a card' }));
  const pay = await screen.findByRole('button', { name: 'Pay $129.00' });
  expect(pay).toHaveProperty('disabled', true);
  expect(screen.getByText(/^Tick “Book it all the same” above/)).toBeDefined();
  fireEvent.click(screen.getByRole('checkbox', { name: 'Book it all the same' }));
  expect(screen.queryByText(/^Tick “Book it all the same” above/)).toBeNull();
  expect(pay).toHaveProperty('disabled', false);
});
