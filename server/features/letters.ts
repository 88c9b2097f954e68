// What students are mailed about their money. Not for: sending (a job does that, so that a mail server that is down delays nobody).
import { dollars } from '../../contract/rules.ts';

interface Paid {
  id: string;
  email: string;
  customer: string;
  itemName: string;
  amountCents: number;
  intentId: string;
}

interface Academy {
  brand: string;
  publicUrl: string;
}

const amount = (cents: number) => `$${dollars(cents).toFixed(2)}`;

export const receiptLetter = ({ brand, publicUrl }: Academy, payment: Paid, date: Date) => ({
  to: payment.email,
  subject: `Your receipt for ${oneLine(payment.itemName)}`,
  text: [
    `Hello ${oneLine(payment.customer)},`,
    `thank you: your seat in ${oneLine(payment.itemName)} is booked.`,
    [
      `Paid: ${amount(payment.amountCents)}`,
      `Date: ${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      `Transaction: ${payment.intentId}`,
    ].join('\n'),
    `The receipt to print:\n${publicUrl}/dashboard/receipt/${payment.id}`,
    brand,
  ].join('\n\n'),
});

export const refundLetter = ({ brand }: Academy, payment: Paid, reason: string) => ({
  to: payment.email,
  subject: `Your money back for ${oneLine(payment.itemName)}`,
  text: [
    `Hello ${oneLine(payment.customer)},`,
    `we have sent back ${amount(payment.amountCents)}, all that you paid for ${oneLine(payment.itemName)}. The reason: ${oneLine(reason)}`,
    `Your bank needs up to ten days to show it.\nTransaction: ${payment.intentId}`,
    brand,
  ].join('\n\n'),
});

/** Names are written by people; a line break in one must not look like a line of ours. */
const oneLine = (words: string) => words.replace(/\s+/g, ' ').trim();
