// The end of an enrolment, and the receipt of a payment for many seats.
import type { Receipt, ReceiptLine } from '../../contract/checkout/payments.ts';
import { expect, proofOnce, test, proof } from './fixtures.ts';
import { audit } from './looks.ts';
import { enter, someone, theAdmin } from './people.ts';
import { aBuyer, paymentsOf } from './till.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test(
  'after the end of an enrolment the focus is on the heading of the seats',
  proof,
  async ({ page }) => {
    const { student, chosen } = await aBuyer();
    const [payment] = await paymentsOf(student);
    await enter(page, await theAdmin());
    await page.goto(`/dashboard/payments/${payment?._id}`);
    await page.getByRole('button', { name: `Refund a part: ${chosen.name}` }).click();
    const refund = page.getByRole('dialog', { name: chosen.name });
    await refund.getByRole('textbox', { name: 'Back to the card' }).fill(String(payment?.price));
    await refund.getByRole('checkbox', { name: /^End the enrolment/ }).uncheck();
    await refund.getByRole('textbox', { name: 'Reason' }).fill('The coach is ill.');
    await refund.getByRole('button', { name: /^Refund \$/ }).click();
    await page.getByRole('button', { name: `End the enrolment: ${chosen.name}` }).click();
    const end = page.getByRole('dialog', { name: 'End the enrolment?' });
    await end.getByRole('textbox', { name: 'Reason' }).fill('The class is full.');
    await end.getByRole('button', { name: 'End the enrolment' }).click();
    await expect(end).toBeHidden();
    await expect(page.getByRole('heading', { name: 'Seat', exact: true })).toBeFocused();
  },
);

test(
  'a receipt of twelve seats with their discounts prints on one page',
  proofOnce,
  async ({ page }) => {
    const id = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
    await page.route(`**/api/payments/${id}`, (route) => route.fulfill({ json: receipt(id) }));
    await enter(page, await someone());
    await page.goto(`/dashboard/receipt/${id}`);
    await expect(page.getByRole('rowheader', { name: /^Swimming for beginners 12/ })).toBeVisible();
    await audit(page);
    const margin = { top: '10mm', bottom: '10mm', left: '10mm', right: '10mm' };
    const pages = (await page.pdf({ format: 'A4', margin }))
      .toString('latin1')
      .match(/\/Type\s*\/Page\b/g);
    expect(pages).toHaveLength(1);
  },
);

const when = '2026-11-16T15:00:00.000Z';
const place = {
  instructor: 'Ingrid Solberg',
  schedule: 'Tue, Thu · 17:00–18:30 · 24 Nov 2026 – 14 Jan 2027',
  place: 'Leisure pool',
};
const seat = (nth: number): ReceiptLine => ({
  ...place,
  _id: `line ${nth}`,
  itemId: 'class',
  name: `Swimming for beginners ${nth}`,
  participant: nth % 2 ? 'Mia' : 'Leo',
  price: 90,
  discounts: [
    { text: 'Siblings', amount: 9 },
    { text: 'Coupon AUTUMN', amount: 4.05 },
  ],
  amount: 76.95,
  state: 'enrolled',
});
const receipt = (id: string): Receipt => ({
  ...place,
  _id: id,
  email: 'pat@example.com',
  customer: 'Pat Parent',
  itemId: 'class',
  transactionId: 'pi_12',
  price: 923.4,
  date: when,
  status: 'part_refunded',
  itemName: '12 classes',
  receiptNumber: 'R-2026-000112',
  seats: 12,
  refunded: 5,
  brand: 'Rally',
  refundedAt: null,
  lines: Array.from({ length: 12 }, (_, nth) => seat(nth + 1)),
  refunds: [
    { _id: 'r', lineId: 'line 3', amount: 5, state: 'succeeded', reason: 'Rain', date: when },
  ],
});
