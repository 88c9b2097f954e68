// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { getCredit, giveCredit, payOutCredit } from '../../contract/checkout/credit.ts';
import type { UserPage } from '../../contract/academy/userpage.ts';
import { CreditCard } from '../academy/users/GiveCredit.tsx';
import { OpenDialog } from '../platform/ui/Messages.tsx';
import { answers, refuses, show } from '../testing/screen.tsx';
import { Credit } from './Credit.tsx';

const entry = { at: '2027-01-05T10:00:00Z', cents: -500, afterCents: 1_200 };
const known = {
  cents: 1_200,
  reservedCents: 500,
  total: 2,
  entries: [
    { ...entry, why: 'In a payment under way', paymentId: null },
    { ...entry, cents: 1_700, afterCents: 1_700, why: 'Back for Tennis', paymentId: 'p1' },
  ],
};
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByRole('textbox', { name: label }), { target: { value } });
const submit = () => fireEvent.submit(screen.getByRole('textbox').closest('form') ?? document);

it('shows what there is, and each entry with its receipt', async () => {
  show(<Credit />, { replies: [answers(getCredit, known)] });
  expect(await screen.findByText('$5.00 in a payment under way')).toBeTruthy();
  const link = screen.getByRole('link', { name: 'Back for Tennis' });
  expect(link.getAttribute('href')).toBe('/dashboard/receipt/p1');
  expect(screen.getByText('−$5.00')).toBeTruthy();
  expect(screen.getByText('+$17.00')).toBeTruthy();
});

it('pays out what there is, and says what no card can take', async () => {
  const page = (
    <>
      <Credit />
      <OpenDialog />
    </>
  );
  const { sent } = show(page, {
    replies: [answers(getCredit, known), answers(payOutCredit, { cardCents: 700, deskCents: 500 })],
  });
  await press('Pay it out');
  type('Amount', '12.01');
  submit();
  await screen.findByText('Must be an amount up to $12.00');
  type('Amount', '12.00');
  submit();
  await screen.findByText('$7.00 is on its way');
  expect(screen.getByText(/No card of yours can take \$5\.00/)).toBeTruthy();
  const posts = sent.filter(({ method }) => method === 'POST');
  expect(posts).toMatchObject([{ body: { cents: 1_200 } }]);
});

it('the office takes back with a reason, one key for two tries', async () => {
  const user = { _id: 'u2', name: 'Pia', creditCents: 1_200 } as UserPage;
  const { sent } = show(<CreditCard user={user} />, {
    role: 'admin',
    replies: [refuses(giveCredit, 'TOO_LITTLE_CREDIT')],
  });
  await press('Take back: credit');
  type('Amount', '13');
  type('Reason', 'By mistake');
  const posts = () => sent.filter(({ method }) => method === 'POST');
  for (const count of [1, 2]) {
    await press('Take back');
    await waitFor(() => expect(posts()).toHaveLength(count));
  }
  const [first, second] = posts();
  expect(first?.body).toMatchObject({ studentId: 'u2', cents: -1_300, reason: 'By mistake' });
  expect(second?.body).toEqual(first?.body);
});
