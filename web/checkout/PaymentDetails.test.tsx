// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { describe, expect, it } from 'vitest';
import {
  getReceipt,
  overrideEnrolment,
  type Receipt,
  type ReceiptLine,
} from '../../contract/checkout/payments.ts';
import { aLine, aReceipt } from '../testing/samples.ts';
import { answers, show } from '../testing/screen.tsx';
import { PaymentDetails } from './PaymentDetails.tsx';

const open = (lines: ReceiptLine[], more: Partial<Receipt> = {}) =>
  show(
    <Routes>
      <Route path="/payments/:id" element={<PaymentDetails />} />
    </Routes>,
    {
      role: 'admin',
      at: '/payments/x',
      replies: [
        answers(getReceipt, { ...aReceipt, ...more, lines }),
        answers(overrideEnrolment, { modifiedCount: 1 }),
      ],
    },
  );
const press = async (name: string | RegExp) =>
  fireEvent.click(await screen.findByRole('button', { name }));
const back: ReceiptLine = { ...aLine, backCents: 12_900, leftCents: 0 };

it('a family whom new dates do not suit is answered', async () => {
  open([{ ...aLine, objection: 'We have school then.' }]);
  const said = 'New dates do not suit the family: We have school then.';
  expect(await screen.findByText(said)).toBeTruthy();
  await press('Settled, keeps the seat');
  expect(screen.getByLabelText('Words to the family')).toBeTruthy();
});

const fill = (amount: string) =>
  fireEvent.change(screen.getByRole('textbox', { name: 'Amount' }), {
    target: { value: amount },
  });
const box = () =>
  screen.getByRole<HTMLInputElement>('checkbox', { name: 'End the enrolment and free the seat' });
const begin = async (line: ReceiptLine) => {
  const { sent } = open([line]);
  await press(/^Refund this class/);
  await screen.findByRole('textbox', { name: 'Amount' });
  return sent;
};
const send = async (sent: { method: string; body: unknown }[], name: RegExp) => {
  fireEvent.change(screen.getByRole('textbox', { name: 'Reason' }), { target: { value: 'Ill' } });
  await press(name);
  return waitFor(() => {
    const post = sent.find(({ method }) => method === 'POST');
    expect(post).toBeTruthy();
    return post?.body;
  });
};

describe('a refund of a part', () => {
  it.each([
    ['12', false],
    ['124.00', true],
    [' 124.0 ', true],
    ['124.01', false],
    ['1e2', false],
    ['', false],
  ])('of %j with $124.00 left ends the enrolment by default: %s', async (amount, ends) => {
    await begin({ ...aLine, backCents: 500, leftCents: 12_400 });
    expect(box().checked).toBe(true);
    fill('124');
    fill(amount);
    expect(box().checked).toBe(ends);
  });

  it('of more than is left is refused at its field', async () => {
    const sent = await begin({ ...aLine, backCents: 500, leftCents: 12_400 });
    fill('124.01');
    fireEvent.change(screen.getByRole('textbox', { name: 'Reason' }), { target: { value: 'Ill' } });
    await press('Refund');
    expect(await screen.findByText('Must be at most $124.00')).toBeTruthy();
    expect(sent.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('keeps what the admin has ticked or unticked', async () => {
    const sent = await begin(aLine);
    fill('129');
    fireEvent.click(box());
    fill('5');
    fill('129.00');
    expect(box().checked).toBe(false);
    fireEvent.click(box());
    fill('5');
    expect(box().checked).toBe(true);
    fireEvent.click(box());
    fill('129');
    expect(await send(sent, /^Refund \$129/)).toMatchObject({ cents: 12_900, end: false });
  });

  it('of a seat that has ended does not end it again', async () => {
    const sent = await begin({ ...aLine, state: 'ended' });
    expect(screen.queryByRole('checkbox', { name: /^End/ })).toBeNull();
    fill('129');
    expect(await send(sent, /^Refund \$129/)).toMatchObject({ end: false });
  });
});

describe('a seat without money left', () => {
  it.each([
    ['all is back', { status: 'refunded' }, back],
    ['it was free', { cents: 0 }, { ...aLine, listCents: 0, cents: 0, leftCents: 0 }],
  ] as const)('can be given up: %s', async (_case, more, line) => {
    const { sent } = open([line], more);
    await press('End the enrolment: Archery Basics');
    const dialog = within(screen.getByRole('dialog', { name: 'End the enrolment?' }));
    const end = dialog.getByRole('button', { name: 'End the enrolment' });
    expect(end.hasAttribute('disabled')).toBe(true);
    fireEvent.change(dialog.getByRole('textbox', { name: 'Reason' }), { target: { value: 'Ill' } });
    fireEvent.click(end);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent.find(({ method }) => method === 'POST')).toMatchObject({
      path: '/api/enrolments/override/x',
      body: { cents: 0, end: true, reason: 'Ill', leftCents: 0 },
    });
  });

  it.each([
    ['it has ended', {}, { ...back, state: 'ended' }],
    ['the payment is disputed', { status: 'disputed' }, back],
  ] as const)('has no button when %s', async (_case, more, line) => {
    open([line], more);
    await screen.findByText('Archery Basics');
    expect(screen.queryByRole('button', { name: /^(End|Refund this)/ })).toBeNull();
  });
});
