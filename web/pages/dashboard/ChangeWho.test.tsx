// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { addToCart, type CartItem, listCart, removeFromCart } from '../../../contract/cart.ts';
import { getClass } from '../../../contract/classes.ts';
import { type ErrorCode, errors } from '../../../contract/errors.ts';
import { addParticipant, listParticipants, type Participant } from '../../../contract/family.ts';
import { listEnrolments } from '../../../contract/payments.ts';
import { aCartItem, aClass } from '../../testing/samples.ts';
import { answers, answersBy, refuses, show } from '../../testing/screen.tsx';
import { useMessages } from '../../ui/alert.ts';
import { MyCart } from './MyCart.tsx';
import { ChooseItem } from './payment/ChooseItem.tsx';

const own: CartItem = { ...aCartItem, _id: 'x', itemId: 'x', minAge: 5, maxAge: 8 };
const forMia: CartItem = { ...own, participantId: 'p1', participant: 'Mia' };
const person = (_id: string, name: string, more: Partial<Participant> = {}) =>
  ({
    _id,
    name,
    self: false,
    born: '2020-01-01',
    care: 'filled',
    guardians: [],
    ...more,
  }) as Participant;
const sam = person('u1', 'Sam', { self: true, born: null });

const Said = () => {
  const { toasts, dialogs } = useMessages();
  return [...toasts, ...dialogs].map(({ id, title }) => <p key={id}>{title}</p>);
};

interface Given {
  cart: CartItem[];
  family?: Participant[];
  adding?: ErrorCode;
  removing?: ErrorCode;
}
function open({ cart, family = [sam, person('p1', 'Mia')], adding, removing }: Given) {
  const people = [...family];
  const { sent } = show(
    <>
      <MyCart />
      <Said />
    </>,
    {
      replies: [
        answers(listCart, cart),
        answers(getClass, { ...aClass, minAge: 5, maxAge: 8, firstDay: '2027-01-05' }),
        answersBy(listParticipants, () => people),
        answers(listEnrolments, { items: [], total: 0 }),
        answersBy(addParticipant, () => {
          people.push(person('p9', 'Ben'));
          return { insertedId: 'p9' };
        }),
        adding ? refuses(addToCart, adding) : answers(addToCart, { insertedId: 'b9' }),
        removing ? refuses(removeFromCart, removing) : answers(removeFromCart, { deletedCount: 1 }),
      ],
    },
  );
  return () =>
    sent
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path, body }) => [method, path, body]);
}

const sheet = async () =>
  within(await screen.findByRole('dialog', { name: 'Who is it for?' }, { timeout: 15_000 }));
const choose = async (name: string) => {
  fireEvent.click(await (await sheet()).findByRole('radio', { name }));
  fireEvent.click((await sheet()).getByRole('button', { name: 'Change' }));
};
const ask = () => screen.findByRole('button', { name: 'Choose a child: Archery Basics' });
const added = (participantId: string) => [
  'POST',
  '/api/bookeds',
  { itemId: 'x', email: own.email, participantId },
];
const removed = ['DELETE', '/api/booked/x', undefined];

it('asks whether a class for children is for a child, and replaces the item: adds, then removes', async () => {
  const written = open({ cart: [own] });
  fireEvent.click(await ask());
  expect(screen.getByText('This class is for 5–8 years. Is it for a child?')).toBeTruthy();
  expect(
    (await (await sheet()).findByRole('radio', { name: 'Sam (you)' })).hasAttribute('disabled'),
  ).toBe(true);
  await choose('Mia');
  expect(await screen.findByText('Archery Basics is for Mia now.')).toBeTruthy();
  expect(written()).toEqual([added('p1'), removed]);
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Who is it for?' })).toBeNull());
});

it('adds a child in the sheet, who is then chosen', async () => {
  const written = open({ cart: [own], family: [sam] });
  fireEvent.click(await ask());
  fireEvent.click(await (await sheet()).findByRole('button', { name: 'Add a child' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add a child' }));
  fireEvent.change(dialog.getByLabelText(/^Name/), { target: { value: 'Ben' } });
  fireEvent.change(dialog.getByLabelText(/^Birth date/), { target: { value: '2020-01-01' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Add' }));
  const ben = await (await sheet()).findByRole<HTMLInputElement>('radio', { name: 'Ben' });
  await waitFor(() => expect(ben.checked).toBe(true));
  fireEvent.click((await sheet()).getByRole('button', { name: 'Change' }));
  await waitFor(() => expect(written().slice(1)).toEqual([added('p9'), removed]));
});

it('changes an item of a child to another person', async () => {
  const written = open({ cart: [forMia], family: [sam, person('p1', 'Mia'), person('p2', 'Leo')] });
  const change = 'Change who it is for: Archery Basics for Mia';
  fireEvent.click(await screen.findByRole('button', { name: change }));
  await choose('Leo');
  await waitFor(() => expect(written()).toEqual([added('p2'), removed]));
});

it('does not offer a child who has the class in the cart already', async () => {
  open({ cart: [own, { ...forMia, _id: 'b2' }] });
  fireEvent.click(await ask());
  expect(await (await sheet()).findByText('7 years · In your cart already')).toBeTruthy();
  const mia = (await sheet()).getByRole<HTMLInputElement>('radio', { name: 'Mia' });
  expect([mia.disabled, mia.checked]).toEqual([true, false]);
});

it('keeps the item if another tab has put the class into the cart for that child', async () => {
  const written = open({ cart: [own], adding: 'ALREADY_IN_CART' });
  fireEvent.click(await ask());
  await choose('Mia');
  expect(await (await sheet()).findByText(errors.ALREADY_IN_CART[1])).toBeTruthy();
  expect(written()).toEqual([added('p1')]);
});

it('keeps the item if the class cannot be added, and says why', async () => {
  const written = open({ cart: [own], adding: 'SOLD_OUT' });
  fireEvent.click(await ask());
  await choose('Mia');
  expect(await (await sheet()).findByText(errors.SOLD_OUT[1])).toBeTruthy();
  expect(written()).toEqual([added('p1')]);
});

it('says so if the old item cannot be removed', async () => {
  open({ cart: [own], removing: 'PAYMENT_IN_PROGRESS' });
  fireEvent.click(await ask());
  await choose('Mia');
  expect(await screen.findByText(/^It was added, but the old item stays/)).toBeTruthy();
});

it('has no button for an item that is being paid for', async () => {
  open({
    cart: [
      { ...own, paying: true },
      { ...forMia, _id: 'b2', paying: true },
    ],
  });
  expect(await screen.findByText(/Is it for a child\?/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Cho|^Change/ })).toBeNull();
});

it.each([
  ['without an upper age', { maxAge: undefined }],
  ['up to 18', { maxAge: 18 }],
  ['that is sold out', { state: 'sold-out' as const }],
])('does not ask about a class %s', async (_, more) => {
  open({ cart: [{ ...own, ...more }] });
  await screen.findByRole('row', { name: /Archery Basics/ });
  expect(screen.queryByText(/Is it for a child/)).toBeNull();
  expect(screen.queryByRole('button', { name: /^Cho|^Change/ })).toBeNull();
});

it('asks where the payment page lets one choose what to pay for', async () => {
  show(<ChooseItem items={[own, { ...forMia, _id: 'b2' }]} />);
  expect(await ask()).toBeTruthy();
  expect(screen.getByRole('button', { name: /^Change who it is for: .* for Mia$/ })).toBeTruthy();
});
