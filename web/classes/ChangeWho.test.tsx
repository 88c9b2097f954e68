// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type CartItem, changeCartItem, getCart } from '../../contract/checkout/cart.ts';
import { getClass } from '../../contract/classes/classes.ts';
import { listParticipants, type Participant } from '../../contract/people/family.ts';
import { listEnrolments } from '../../contract/checkout/payments.ts';
import { aCartItem, aClass } from '../testing/samples.ts';
import { answers, show } from '../testing/screen.tsx';
import { useMessages } from '../platform/ui/alert.ts';
import { MyCart } from '../checkout/MyCart.tsx';

const own: CartItem = { ...aCartItem, cartItemId: 'x', classId: 'x', minAge: 5, maxAge: 8 };
const forMia: CartItem = { ...own, participantId: 'p1', participant: 'Mia' };
const person = (_id: string, name: string, more: Partial<Participant> = {}) =>
  ({ _id, name, self: false, born: '2020-01-01', guardians: [], ...more }) as Participant;
const sam = person('u1', 'Sam', { self: true, born: null });

const Said = () => useMessages().toasts.map(({ id, title }) => <p key={id}>{title}</p>);

function open(cart: CartItem[]) {
  const { sent } = show(
    <>
      <MyCart />
      <Said />
    </>,
    {
      replies: [
        answers(getCart, cart),
        answers(getClass, { ...aClass, minAge: 5, maxAge: 8, firstDay: '2027-01-05' }),
        answers(listParticipants, [sam, person('p1', 'Mia'), person('p2', 'Leo')]),
        answers(listEnrolments, { items: [], total: 0 }),
        answers(changeCartItem, { modifiedCount: 1, clashes: [] }),
      ],
    },
  );
  return () => sent.filter(({ method }) => method !== 'GET');
}

const button = (whom: string) =>
  screen.findByRole('button', { name: `Change who it is for: Archery Basics for ${whom}` });
const sheet = async () =>
  within(await screen.findByRole('dialog', { name: 'Who is it for?' }, { timeout: 15_000 }));
const choose = async (name: string) => {
  fireEvent.click(await (await sheet()).findByRole('radio', { name }));
  fireEvent.click((await sheet()).getByRole('button', { name: 'Change' }));
};

it('an own seat in a class for children gets to a child', async () => {
  const written = open([own]);
  fireEvent.click(await button('you'));
  const me = await (await sheet()).findByRole<HTMLInputElement>('radio', { name: 'Sam (you)' });
  expect(me.disabled).toBe(true);
  await choose('Mia');
  expect(await screen.findByText('Archery Basics is for Mia now.')).toBeTruthy();
  const body = { participantId: 'p1' };
  expect(written()).toEqual([{ method: 'PATCH', path: '/api/cart/x', body }]);
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Who is it for?' })).toBeNull());
});

it('does not offer a child who has the class in the cart already', async () => {
  open([own, { ...forMia, cartItemId: 'b2' }]);
  fireEvent.click(await button('you'));
  expect(await (await sheet()).findByText('7 years · In your cart already')).toBeTruthy();
  const mia = (await sheet()).getByRole<HTMLInputElement>('radio', { name: 'Mia' });
  expect([mia.disabled, mia.checked]).toEqual([true, false]);
});

it.each([
  ['without an upper age', { maxAge: null }],
  ['up to 18', { maxAge: 18 }],
  ['that is sold out', { state: 'sold-out' as const }],
])('an own seat in a class %s does not change', async (_, more) => {
  open([{ ...own, ...more }]);
  await screen.findByRole('row', { name: /Archery Basics/ });
  expect(screen.queryByRole('button', { name: /^Change/ })).toBeNull();
});
