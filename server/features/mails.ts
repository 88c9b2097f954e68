// What students are mailed about their money and their classes. Not for: sending (a job does that,
// so that a mail server that is down delays nobody).
import { dollars, hasLink, oneLine } from '../../contract/rules.ts';

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

/** A name with a link was stored before names had to be without. */
export const greeting = (name: string) => (hasLink(name) ? 'Hello,' : `Hello ${oneLine(name)},`);

const amount = (cents: number) => `$${dollars(cents).toFixed(2)}`;

export const receiptMail = ({ brand, publicUrl }: Academy, payment: Paid, date: Date) => ({
  to: payment.email,
  subject: `Your receipt for ${oneLine(payment.itemName)}`,
  text: [
    greeting(payment.customer),
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

export const refundMail = ({ brand }: Academy, payment: Paid, reason: string) => ({
  to: payment.email,
  subject: `Your money back for ${oneLine(payment.itemName)}`,
  text: [
    greeting(payment.customer),
    `we have sent back ${amount(payment.amountCents)}, all that you paid for ${oneLine(payment.itemName)}. The reason: ${oneLine(reason)}`,
    `Your bank needs up to ten days to show it.\nTransaction: ${payment.intentId}`,
    brand,
  ].join('\n\n'),
});

interface Plan {
  name: string;
  schedule: string;
  place: string;
}

/** To everybody enrolled in a class of which the time or the place was changed. */
export const newPlanMail = (
  { brand, publicUrl }: Academy,
  { email, name }: { email: string; name: string },
  { before, after }: { before: Plan; after: Plan },
) => ({
  to: email,
  subject: `New time or place of ${oneLine(after.name)}`,
  text: [
    greeting(name),
    `the time or place of ${oneLine(after.name)}, in which you are enrolled, has changed.`,
    [
      before.schedule !== after.schedule &&
        `Time: ${orNone(before.schedule)} → ${orNone(after.schedule)}`,
      before.place !== after.place && `Place: ${orNone(before.place)} → ${orNone(after.place)}`,
    ]
      .filter(Boolean)
      .join('\n'),
    `Your classes:\n${publicUrl}/dashboard/myenrolledclasses`,
    brand,
  ].join('\n\n'),
});

const orNone = (words: string) => oneLine(words) || 'not given';
