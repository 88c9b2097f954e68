// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type CartItem, changeCartItem, listCart } from '../../../contract/cart.ts';
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
  changing?: ErrorCode;
}
function open({ cart, family = [sam, person('p1', 'Mia')], changing }: Given) {
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
        changing
          ? refuses(changeCartItem, changing)
          : answers(changeCartItem, { modifiedCount: 1 }),
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
const changed = (participantId: string) => ['PATCH', '/api/cart/x', { participantId }];

it('asks whether a class for children is for a child, and changes the item', async () => {
  const written = open({ cart: [own] });
  fireEvent.click(await ask());
  expect(screen.getByText('This class is for 5–8 years. Is it for a child?')).toBeTruthy();
  expect(
    (await (await sheet()).findByRole('radio', { name: 'Sam (you)' })).hasAttribute('disabled'),
  ).toBe(true);
  await choose('Mia');
  expect(await screen.findByText('Archery Basics is for Mia now.')).toBeTruthy();
  expect(written()).toEqual([changed('p1')]);
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Who is it for?' })).toBeNull());
});

it('adds a child in the sheet, who gets the seat at once', async () => {
  const written = open({ cart: [{ ...own, participantId: 'p1', participant: 'Mia' }] });
  fireEvent.click(await screen.findByRole('button', { name: /^Change who it is for/ }));
  const name = await (await sheet()).findByLabelText('First name');
  fireEvent.change(name, { target: { value: 'Ben' } });
  fireEvent.change((await sheet()).getByLabelText('Birth date'), {
    target: { value: '2020-01-01' },
  });
  fireEvent.click((await sheet()).getByRole('button', { name: 'Change' }));
  await waitFor(() => expect(written().slice(1)).toEqual([changed('p9')]));
});

it('changes an item of a child to another person', async () => {
  const written = open({ cart: [forMia], family: [sam, person('p1', 'Mia'), person('p2', 'Leo')] });
  const change = 'Change who it is for: Archery Basics for Mia';
  fireEvent.click(await screen.findByRole('button', { name: change }));
  await choose('Leo');
  await waitFor(() => expect(written()).toEqual([changed('p2')]));
});

it('does not offer a child who has the class in the cart already', async () => {
  open({ cart: [own, { ...forMia, _id: 'b2' }] });
  fireEvent.click(await ask());
  expect(await (await sheet()).findByText('7 years · In your cart already')).toBeTruthy();
  const mia = (await sheet()).getByRole<HTMLInputElement>('radio', { name: 'Mia' });
  expect([mia.disabled, mia.checked]).toEqual([true, false]);
});

it('says why the item could not be changed', async () => {
  open({ cart: [{ ...own, paying: true }], changing: 'ALREADY_PAID' });
  fireEvent.click(await ask());
  await choose('Mia');
  expect(await (await sheet()).findByText(errors.ALREADY_PAID[1])).toBeTruthy();
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
