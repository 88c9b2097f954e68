// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { getClass } from '../../contract/classes/classes.ts';
import { listParticipants, type Participant } from '../../contract/people/family.ts';
import { getReceipt, type Receipt } from '../../contract/checkout/payments.ts';
import { messages } from '../../contract/platform/messages.ts';
import { aClass, aLine, aMeeting, aReceipt } from '../testing/samples.ts';
import { answers, show } from '../testing/screen.tsx';
import { Booked, bookedOf } from './Booked.tsx';

const mia = { _id: 'p1', name: 'Mia', self: false, care: 'none' } as Participant;
const over = { ...aMeeting, day: '2026-01-05', endsAt: '2026-01-05T10:30:00Z' };
const meetings = [over, { ...aMeeting, address: 'Rua 1' }];

const line = { ...aLine, classId: 'x' };

const open = (of: Partial<Receipt>, care: Participant['care'] = 'none') =>
  show(<Booked paymentId="x" />, {
    replies: [
      answers(getReceipt, { ...aReceipt, ...of }),
      answers(getClass, { ...aClass, bring: 'Gloves', meetings }),
      answers(listParticipants, [{ ...mia, care }]),
    ],
  });

it('says in the words of the specification who is booked', async () => {
  open({ lines: [{ ...line, participant: 'Mia' }] });
  const title = screen.getByText(messages.paid);
  expect(document.activeElement).toBe(title);
  expect(screen.getByText(messages.transactionComplete)).toBeTruthy();
  expect(await screen.findByRole('heading', { name: 'Mia is booked' })).toBeTruthy();
  const [row] = await screen.findAllByRole('listitem');
  expect(row?.textContent).toMatch(/^Next: Sat 5 Jun 202710:00 to 11:30Archery Basics for Mia/);
  expect(row?.textContent).toContain('Bring: Gloves');
  expect(
    (await screen.findByRole('link', { name: aMeeting.place })).getAttribute('href'),
  ).toContain('Rua%201');
  expect(screen.getByRole('link', { name: 'Write down allergies' })).toBeTruthy();
});

it('names each of several; the first time of all has the ball', async () => {
  open(
    {
      lines: [
        { ...line, participant: 'Mia' },
        { ...line, lineId: 'l2' },
      ],
    },
    'filled',
  );
  expect(await screen.findByRole('heading', { name: 'Mia and You are booked' })).toBeTruthy();
  const rows = await screen.findAllByRole('listitem');
  expect(rows.map(({ textContent }) => textContent?.startsWith('Next: '))).toEqual([true, false]);
  expect(screen.queryByRole('link', { name: /allergies/ })).toBeNull();
});

it('is gone after a reload', () => {
  const booked = { paymentId: 'x', on: performance.timeOrigin };
  expect(bookedOf({ booked })).toBe('x');
  expect(bookedOf({ booked: { ...booked, on: booked.on - 1 } })).toBeNull();
  expect(bookedOf(null)).toBeNull();
});
