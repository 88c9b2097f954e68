// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { changeCartItem, listCart } from '../../../../contract/cart.ts';
import { quoteBasket } from '../../../../contract/checkout.ts';
import { getClass } from '../../../../contract/classes.ts';
import { addParticipant, listParticipants, type Participant } from '../../../../contract/family.ts';
import type { BasketLine } from '../../../../contract/lines.ts';
import { listEnrolments } from '../../../../contract/payments.ts';
import { aCartItem, aClass } from '../../../testing/samples.ts';
import { answers, answersBy, show } from '../../../testing/screen.tsx';
import { WhoGoes } from './WhoGoes.tsx';

const ages = { minAge: 5, maxAge: 8 };
const seat = {
  item: 'x',
  itemId: 'x',
  name: 'Judo',
  amount: 20,
  state: 'ok',
  ...ages,
} as BasketLine;
const own = { _id: 'u1', name: 'Sam', self: true } as Participant;

const page = (line: BasketLine, born: string | null) => {
  let lines = [line];
  return show(
    <WhoGoes ids={['x']}>
      <p>Card</p>
    </WhoGoes>,
    {
      replies: [
        answersBy(quoteBasket, () => ({ lines, total: 20, saved: 0, card: 20, nudges: [] })),
        answers(listParticipants, [{ ...own, born }]),
        answers(getClass, { ...aClass, ...ages, firstDay: '2027-01-05' }),
        answers(listCart, [aCartItem]),
        answers(listEnrolments, { items: [], total: 0 }),
        answers(addParticipant, { insertedId: 'p1' }),
        answersBy(changeCartItem, () => {
          lines = [{ ...seat, participantId: 'p1', participant: 'Mia' }];
          return { modifiedCount: 1 };
        }),
      ],
    },
  );
};

it('who does not fit is stopped before the card, and may say that it is for them', async () => {
  page({ ...seat, unfit: true }, '1990-01-01');
  const me = await screen.findByRole('button', { name: 'It is for me' });
  expect(screen.queryByText('Card')).toBeNull();
  fireEvent.click(me);
  expect(await screen.findByText('Card')).toBeTruthy();
});

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

it('who was never asked says who comes; a new child gets the seat', async () => {
  const { sent } = page({ ...seat, unfit: true }, null);
  fireEvent.click(await screen.findByRole('button', { name: 'Choose a child' }));
  expect(screen.queryByRole('button', { name: 'It is for me' })).toBeNull();
  await screen.findByLabelText('First name');
  type('First name', 'Mia');
  type('Birth date', '2010-01-01');
  fireEvent.click(screen.getByRole('button', { name: 'Change' }));
  expect(await screen.findByText('Only for 5–8 years')).toBeTruthy();
  type('Birth date', '2020-01-01');
  fireEvent.click(screen.getByRole('button', { name: 'Change' }));
  expect(await screen.findByText('Card')).toBeTruthy();
  const changes = sent.filter(({ method }) => method !== 'GET');
  expect(changes.map(({ path, body }) => [path, body])).toEqual([
    ['/api/participants', { name: 'Mia', born: '2020-01-01' }],
    ['/api/cart/x', { participantId: 'p1' }],
  ]);
});

it('a class without dates and the name of a child stand above the card', async () => {
  page({ ...seat, participant: 'Mia', participantId: 'p1', undated: true }, null);
  expect(await screen.findByText('No dates yet')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Change who it is for: Judo for Mia' })).toBeTruthy();
  expect(screen.getByText('Card')).toBeTruthy();
});
