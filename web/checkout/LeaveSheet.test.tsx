// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { type Leaving, leaveSeat, quoteSeat } from '../../contract/checkout/leaving.ts';
import { answers, answersBy, refuses, show } from '../testing/screen.tsx';
import { anEnrolment } from '../testing/samples.ts';
import { LeaveSheet } from './LeaveSheet.tsx';

const quote: Leaving = {
  cardCents: 3_150,
  creditCents: 4_050,
  paidCents: 9_000,
  meetings: 10,
  left: 5,
  step: null,
  next: { until: '2027-01-12T16:00:00.000Z', cardCents: 2_520, creditCents: 3_240 },
  why: [
    { text: '5 of 10 meetings are to come', cents: 4_500 },
    { text: 'The discount of Leo in Chess falls away, for 5 meetings to come', cents: -450 },
  ],
  resold: { cardCents: 900, creditCents: 0 },
  withdraw: false,
};
const row = { ...anEnrolment, enrolmentId: 'x' };
type Replies = NonNullable<NonNullable<Parameters<typeof show>[1]>['replies']>;
const [onAsk, onClose] = [vi.fn<() => void>(), vi.fn<() => void>()];
const sheet = (...replies: Replies) =>
  show(<LeaveSheet {...{ row, onAsk, onClose }} />, { replies });
const left = answers(leaveSeat, { modifiedCount: 1, cardCents: 3_150, creditCents: 0 });

it('credit, why, and until when; then the card and the rest', async () => {
  const { sent } = sheet(answers(quoteSeat, quote), left);
  await screen.findByRole('button', { name: 'Leave and get $40.50 credit' });
  expect(screen.getByText('−$4.50')).toBeTruthy();
  fireEvent.click(screen.getByLabelText('$31.50 to my card instead'));
  expect(screen.getByText('$25.20')).toBeTruthy();
  expect(screen.getByLabelText(/^Give me the rest/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Leave and get $31.50' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(sent.at(-1)?.body ?? sent.find(({ method }) => method === 'POST')?.body).toEqual({
    backCents: 3_150,
    to: 'card',
    resold: true,
  });
});

it('draws a changed amount again', async () => {
  let reads = 0;
  const later = { ...quote, creditCents: 3_240, cardCents: 2_520 };
  sheet(
    answersBy(quoteSeat, () => ((reads += 1) === 1 ? quote : later)),
    refuses(leaveSeat, 'QUOTE_CHANGED'),
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Leave and get $40.50 credit' }));
  expect(await screen.findByText(/^Changed just now/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Leave and get $32.40 credit' })).toBeTruthy();
});

it('at nothing asks the academy first', async () => {
  const nothing = { cardCents: 0, creditCents: 0 };
  sheet(answers(quoteSeat, { ...quote, ...nothing, next: null, resold: nothing }));
  expect(await screen.findByRole('button', { name: 'Leave anyway' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Ask the academy' }));
  expect(onAsk).toHaveBeenCalled();
});
