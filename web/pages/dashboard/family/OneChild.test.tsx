// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { listCart } from '../../../../contract/cart.ts';
import {
  changeParticipant,
  listParticipants,
  type Participant,
  removeParticipant,
} from '../../../../contract/family.ts';
import { answers, refuses, show } from '../../../testing/screen.tsx';
import { useMessages } from '../../../ui/alert.ts';
import { AddChild } from './AddChild.tsx';
import { Details } from './Details.tsx';
import { RemoveChild } from './RemoveChild.tsx';

const leo: Participant = {
  _id: 'x',
  self: false,
  name: 'Leo',
  born: '2018-05-04',
  age: 8,
  care: 'none',
  guardians: [],
  invited: [],
  mayRemove: true,
  enrolled: false,
};
const Asked = () => useMessages().dialogs.map(({ id, title }) => <p key={id}>{title}</p>);
const replies = [
  answers(listParticipants, [leo]),
  answers(listCart, []),
  answers(removeParticipant, { deletedCount: 1 }),
];

it('a child who is enrolled cannot be removed, and it says why', () => {
  show(<RemoveChild person={{ ...leo, enrolled: true }} />, { replies });
  screen.getByText(/Leo is enrolled in a class still to come/);
  expect(screen.getByRole('button', { name: 'Remove' })).toHaveProperty('disabled', true);
});

it('the dialog that removes a child names it', async () => {
  show(
    <>
      <RemoveChild person={leo} />
      <Asked />
    </>,
    { replies },
  );
  fireEvent.click(screen.getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('Remove Leo?')).toBeTruthy();
});

it('a new child is added with a hint to ask who may know it', () => {
  show(<AddChild people={[]} onClose={() => {}} />, { replies });
  screen.getByText('Does somebody else look after this child here? Ask them to invite you.');
  fireEvent.change(screen.getByLabelText(/^Name/), { target: { value: 'Leo' } });
  expect(screen.getByText(/look after Leo here\? Ask them to invite you/)).toBeTruthy();
});

it('a birth date that a booked class does not fit is asked about', async () => {
  const { sent } = show(
    <>
      <Details person={leo} />
      <Asked />
    </>,
    {
      replies: [...replies, refuses(changeParticipant, 'NO_LONGER_FITS')],
    },
  );
  fireEvent.change(screen.getByLabelText(/^Birth date/), { target: { value: '2022-05-04' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Is the birth date right?')).toBeTruthy();
  expect(sent.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
});
