// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type CartItem, getCart, removeFromCart } from '../../contract/checkout/cart.ts';
import { quoteBasket } from '../../contract/checkout/checkout.ts';
import type { Nudge } from '../../contract/checkout/pricing.ts';
import { listEnrolments } from '../../contract/checkout/payments.ts';
import { myCalendar } from '../../contract/classes/calendar.ts';
import { errors } from '../../contract/platform/errors.ts';
import { messages } from '../../contract/platform/messages.ts';
import { aBasketLine, aCartItem, anEnrolment } from '../testing/samples.ts';
import { OpenDialog } from '../platform/ui/Messages.tsx';
import { answers, answersBy, refuses, show } from '../testing/screen.tsx';
import { MyCart } from './MyCart.tsx';

const item = (of: Partial<CartItem>): CartItem => ({ ...aCartItem, ...of });

const cart = (...items: CartItem[]) => show(<MyCart />, { replies: [answers(getCart, items)] });
const row = () => screen.findByRole('row', { name: /Archery Basics/ });

describe('the cart', () => {
  it.each([
    ['ok', {}, '$129.00', true],
    ['price-changed', { seenCents: 9_900 }, 'The price has changed: it was $99.00.', true],
    ['sold-out', { seat: 0 }, 'No seat is left.', false],
    ['closed', {}, 'This class is no longer offered.', false],
    ['closed', { inReview: true }, errors.CLASS_IN_REVIEW[1], false],
    ['ok', { paying: true }, 'A seat is held for you', true],
  ] as const)('shows an item that is %s %j', async (state, more, note, payable) => {
    cart(item({ state, ...more }));
    const shown = await row();
    expect(shown.textContent).toContain(note);
    const pay = within(shown).getByRole(payable ? 'link' : 'button', { name: /^Pay/ });
    expect(pay.getAttribute('href')).toBe(payable ? '/dashboard/payment?item=b1' : null);
    expect(pay.hasAttribute('disabled')).toBe(!payable);
    expect(within(shown).getByRole('button', { name: 'Delete: Archery Basics' })).toBeTruthy();
  });

  it('adds up what can be paid for, to the cent', async () => {
    cart(
      item({ cents: 10 }),
      item({ cartItemId: 'b2', name: 'Yoga', cents: 20 }),
      item({ cartItemId: 'b3', name: 'Judo', cents: 5_000, state: 'closed' }),
    );
    await row();
    expect(screen.getByText('2 classes')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Pay all · $0.30' })).toBeTruthy();
  });

  it('asks to select a course when it is empty; the week follows', async () => {
    const tennis = {
      ...anEnrolment,
      name: 'Tennis',
      next: { ...anEnrolment.next, day: '2099-01-12' },
    };
    show(<MyCart />, {
      replies: [
        answers(getCart, []),
        answers(myCalendar, []),
        answers(listEnrolments, { items: [tennis], total: 1 }),
      ],
    });
    expect(await screen.findByText(messages.emptyCart)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'See all classes' })).toBeTruthy();
    expect(screen.queryByText(/seat is held as soon/)).toBeNull();
    const week = within(await screen.findByRole('region', { name: 'This week' }));
    expect(week.getByRole('listitem').textContent).toMatch(/^Next: .*16:00TennisHall 2$/);
  });

  it('asks a visitor to log in, and asks the server nothing', () => {
    const { sent } = show(<MyCart />, { role: null });
    expect(screen.getByText(messages.emptyCart)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Login' }).getAttribute('href')).toBe('/login');
    expect(sent).toEqual([]);
  });

  it('says so when it cannot be loaded', async () => {
    show(<MyCart />, { replies: [refuses(getCart, 'UNAVAILABLE')] });
    expect((await screen.findByRole('alert')).textContent).toContain(errors.UNAVAILABLE[1]);
    expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy();
  });
});

it('a class leaves the cart only after a yes to the question', async () => {
  const { sent } = show(
    <>
      <MyCart />
      <OpenDialog />
    </>,
    {
      replies: [
        answers(getCart, [item({ cartItemId: 'x' })]),
        answers(removeFromCart, { deletedCount: 1 }),
      ],
    },
  );
  const removals = () => sent.filter(({ method }) => method === 'DELETE');
  for (const answer of ['Cancel', 'Yes, delete it!']) {
    expect(removals()).toEqual([]);
    fireEvent.click(within(await row()).getByRole('button', { name: /^Delete/ }));
    expect(await screen.findByText("You won't be able to revert this!")).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: answer }));
  }
  expect(await screen.findByText('Your file has been deleted.')).toBeTruthy();
  expect(removals()).toHaveLength(1);
});

const yoga = item({ cartItemId: 'b2', name: 'Yoga', cents: 7_100, participant: 'Mia' });
const quoted = (nudges: Nudge[] = []) =>
  answersBy(quoteBasket, (asked) => {
    const all = asked.get('items') === 'b1,b2';
    const why = all ? [{ text: 'Sibling discount', cents: 1_900 }] : [];
    const lines = [
      {
        ...aBasketLine,
        name: 'Yoga',
        participant: 'Mia',
        listCents: 7_100,
        cents: all ? 5_200 : 7_100,
        why,
      },
    ];
    const totalCents = all ? 18_100 : 7_100;
    return { lines, totalCents, savedCents: all ? 1_900 : 0, creditCents: 0, nudges };
  });
const several = (...nudges: Nudge[]) =>
  show(<MyCart />, { replies: [answers(getCart, [item({}), yoga]), quoted(nudges)] });

describe('several classes', () => {
  it('are paid together; the bar says what they save and why', async () => {
    several();
    const why = await screen.findByRole('button', { name: 'You save $19.00' });
    const pay = screen.getByRole('link', { name: 'Pay all · $181.00' });
    expect(pay.getAttribute('href')).toBe('/dashboard/payment?items=b1,b2');
    fireEvent.click(why);
    expect(screen.getByRole('dialog').textContent).toContain(
      'Yoga for Mia$71.00Sibling discount−$19.00',
    );
  });

  it('can be unchecked', async () => {
    several();
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Pay for: Archery Basics' }));
    const pay = screen.getByRole('link', { name: /^Pay selected/ });
    expect(pay.getAttribute('href')).toBe('/dashboard/payment?items=b2');
    await waitFor(() => expect(screen.queryByRole('button', { name: /You save/ })).toBeNull());
  });

  it('carry no total of other seats to the payment', async () => {
    const { carried } = several();
    await screen.findByRole('button', { name: 'You save $19.00' });
    fireEvent.click(screen.getByRole('checkbox', { name: 'Pay for: Archery Basics' }));
    fireEvent.click(screen.getByRole('link', { name: /^Pay selected/ }));
    expect(carried()).toBeNull();
  });

  it('come with a suggestion that is worth it', async () => {
    const nudge = { name: 'Leo', another: false, percent: 0, cents: 100 };
    several(nudge, { ...nudge, percent: 10 });
    expect(await screen.findByText('Add a class for Leo: 10 % off it.')).toBeTruthy();
  });
});
