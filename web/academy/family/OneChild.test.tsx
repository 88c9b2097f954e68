// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { expect, it } from 'vitest';
import { getCart } from '../../../contract/checkout/cart.ts';
import {
  changeParticipant,
  listParticipants,
  type Participant,
  removeParticipant,
} from '../../../contract/people/family.ts';
import { answers, refuses, show } from '../../testing/screen.tsx';
import { useMessages } from '../../platform/ui/alert.ts';
import { Details, RemoveChild } from './FamilyMember.tsx';

const leo = { _id: 'x', self: false, name: 'Leo', born: '2018-05-04' } as Participant;
const Asked = () => useMessages().dialogs.map(({ id, title }) => <p key={id}>{title}</p>);
const replies = [
  answers(listParticipants, [leo]),
  answers(getCart, []),
  answers(removeParticipant, { deletedCount: 1 }),
  refuses(changeParticipant, 'NO_LONGER_FITS'),
];
const showAsking = (element: ReactElement) =>
  show(
    <>
      {element}
      <Asked />
    </>,
    { replies },
  );

it('a child is removed by its name, and not while it is enrolled', async () => {
  showAsking(<RemoveChild person={{ ...leo, enrolled: true }} />);
  screen.getByText(/Leo is enrolled in a class still to come/);
  expect(screen.getByRole('button', { name: 'Remove' })).toHaveProperty('disabled', true);
  cleanup();
  showAsking(<RemoveChild person={leo} />);
  fireEvent.click(screen.getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('Remove Leo?')).toBeTruthy();
});

it('a birth date that a booked class does not fit is asked about', async () => {
  const { sent } = showAsking(<Details person={leo} />);
  fireEvent.change(screen.getByLabelText(/^Birth date/), { target: { value: '2022-05-04' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Is the birth date right?')).toBeTruthy();
  expect(sent.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
});
