// The mails about payments, refunds and seats that end.
import { oneLine } from '../../contract/platform/rules.ts';
import type { Message } from '../mail/mail.ts';
import type { RowOf } from '../platform/db/connection.ts';
import {
  type MailBrand,
  type Addressed,
  amount,
  childrenInWords,
  dayOf,
  factsOf,
  letter,
  momentOf,
  toCalendar,
  toPage,
  unlinkedLines,
} from '../mail/common.ts';

/** Without `intentId` nothing was charged. */
export interface Paid extends RowOf<
  'payment',
  | 'id'
  | 'itemName'
  | 'amountCents'
  | 'creditCents'
  | 'swapCents'
  | 'intentId'
  | 'receiptNumber'
  | 'date'
> {
  /** As they are now. */
  payer: Addressed;
}

/** The class that was paid for. */
type Booked = Pick<ToldLine, 'schedule' | 'place' | 'instructor' | 'bring'>;

export interface Child {
  id: string;
  name: string;
}

const whenAndWhere = ({ schedule, place, instructor, bring }: Booked) =>
  [
    ['When', oneLine(schedule)],
    ['Where', oneLine(place)],
    ['Instructor', oneLine(instructor)],
    ['Bring', oneLine(bring)],
  ] as const;

/** One of several seats. */
const linesOf = (seat: Booked) =>
  whenAndWhere(seat).flatMap(([label, value]) => (value ? [`${label}: ${value}`] : []));

const calendarLink = ({ publicUrl }: MailBrand) => ({
  link: 'All your dates',
  before: 'The dates are attached for your calendar.',
  href: `${publicUrl}/dashboard/calendar`,
});

const whatWasPaid = (
  academy: MailBrand,
  { amountCents, creditCents, swapCents, date, receiptNumber, intentId }: Paid,
) =>
  factsOf([
    ['Paid', amount(academy, amountCents + creditCents + swapCents)],
    ['Of it by credit', creditCents > 0 ? amount(academy, creditCents) : null],
    ['Date', dayOf(academy, date)],
    ['Receipt', receiptNumber],
    ['Transaction', intentId],
  ]);

const receiptButton = (academy: MailBrand, { id }: Paid) =>
  toPage(academy, 'Show the receipt', `/dashboard/receipt/${id}`, 'The receipt to print:');

/**
 * `calendar` is the file of the class, if it has dates. `child` is whose seat it is, when it is not
 * the payer's own.
 */
export const receiptMail = (
  academy: MailBrand,
  payment: Paid,
  booked: Booked,
  { calendar = null, child = null }: { calendar?: string | null; child?: Child | null } = {},
): Message => {
  const subject = `Your receipt for ${oneLine(payment.itemName)}`;
  const head = { subject, ...(calendar && { calendar }) };
  return letter(academy, payment.payer, head, [
    `Thank you! ${child ? `The seat of ${childrenInWords(payment.payer, [child.name])}` : 'Your seat'} in ${oneLine(payment.itemName)} is booked.`,
    factsOf(whenAndWhere(booked)),
    whatWasPaid(academy, payment),
    calendar !== null && calendarLink(academy),
    receiptButton(academy, payment),
  ]);
};

export interface ToldLine
  extends
    RowOf<'paymentLine', 'itemName' | 'classId' | 'worthCents'>,
    RowOf<'class', 'schedule' | 'place' | 'bring'> {
  instructor: string;
  /** Null: the seat is sold. */
  problem: string | null;
  /** Null: it is oneself. */
  child: Child | null;
}

const what = (
  to: Pick<Addressed, 'proven'>,
  { itemName, child }: Pick<ToldLine, 'itemName' | 'child'>,
) => oneLine(child ? `${itemName}, for ${childrenInWords(to, [child.name])}` : itemName);

/** One mail for several seats: those that are booked, and what comes back for the others. */
export function basketMail(academy: MailBrand, payment: Paid, lines: readonly ToldLine[]): Message {
  const sold = lines.filter(({ problem }) => problem === null);
  const refused = lines.filter(({ problem }) => problem !== null);
  const back = refused.map(
    (line) =>
      `${what(payment.payer, line)}: ${amount(academy, line.worthCents)}. ${oneLine(line.problem ?? '')}`,
  );
  const subject = `Your receipt for ${oneLine(payment.itemName)}`;
  return letter(academy, payment.payer, subject, [
    'Thank you! These seats are booked:',
    {
      seats: sold.map((line) => ({
        title: what(payment.payer, line),
        price: amount(academy, line.worthCents),
        lines: linesOf(line),
      })),
    },
    back.length > 0 &&
      `These could not be booked. Their price goes back to your card:\n${back.join('\n')}`,
    whatWasPaid(academy, payment),
    { link: 'Your dates', href: `${academy.publicUrl}/dashboard/calendar` },
    receiptButton(academy, payment),
  ]);
}

/** A seat of a child, for the guardians who did not pay it. They do not see the price. */
export const bookedMail = (
  academy: MailBrand,
  person: Addressed,
  seats: readonly (Booked & { itemName: string; classId: string; child: Child })[],
): Message => {
  const names = [...new Set(seats.map(({ child }) => child.name))];
  const subject =
    seats.length === 1
      ? `${childrenInWords(person, names, 'Your')} is booked for ${oneLine(seats[0]?.itemName ?? '')}`
      : `New classes of ${childrenInWords(person, names)}`;
  return letter(academy, person, subject, [
    `Another guardian has booked for ${childrenInWords(person, names)} at ${academy.brand}.`,
    {
      seats: seats.map((seat) => ({ title: what(person, seat), lines: linesOf(seat) })),
    },
    toCalendar(academy, 'All dates of your family:'),
  ]);
};

export interface Returned extends Pick<ToldLine, 'itemName' | 'child'> {
  amountCents: number;
  /** All that was paid for the class. Null: of no class. */
  whole: boolean | null;
  reason: string;
  /** Whether the seat is booked still; null if it never was. */
  booked: boolean | null;
}

/** What went back in one act. */
export const refundMail = (
  academy: MailBrand,
  payment: Paid,
  refunds: readonly Returned[],
): Message => {
  const one = refunds.length === 1 ? refunds[0] : undefined;
  const subject = `Refund for ${oneLine((one ?? payment).itemName)}`;
  const cents = refunds.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const back = `We have refunded ${amount(academy, cents)}`;
  const reasons = [...new Set(refunds.map(({ reason }) => oneLine(reason)))].join('; ');
  const parts = one
    ? [
        `${back}, ${one.whole === null ? '' : one.whole ? 'the full price of ' : 'a part of the price of '}${what(payment.payer, one)}. Reason: ${reasons}`,
        ...fateOf(one),
      ]
    : [
        `${back}. Reason: ${reasons}`,
        {
          seats: refunds.map((refund) => ({
            title: what(payment.payer, refund),
            price: amount(academy, refund.amountCents),
            lines: [priceOf[`${refund.whole}`], ...fateOf(refund)].filter(Boolean),
          })),
        },
      ];
  return letter(academy, payment.payer, subject, [
    ...parts,
    'Your bank may need up to ten days to show it.',
    factsOf([
      ['Receipt', payment.receiptNumber],
      ['Transaction', payment.intentId],
    ]),
    receiptButton(academy, payment),
  ]);
};

const priceOf = { true: 'The full price.', false: 'A part of the price.', null: '' };
const fateOf = ({ booked }: Returned) =>
  booked === null ? [] : [booked ? 'The seat stays booked.' : 'The seat is no longer booked.'];

/** What has become credit, for a class or as the office has written. */
export interface Credited {
  cents: number;
  note: string;
  itemName: string | null;
  nowCents: number;
}

export function creditedMail(
  academy: MailBrand,
  person: Addressed,
  rows: readonly Credited[],
): Message {
  const cents = rows.reduce((sum, row) => sum + row.cents, 0);
  const names = [...new Set(rows.flatMap(({ itemName }) => itemName ?? []))].map(oneLine);
  const reasons = [...new Set(rows.flatMap(({ note }) => note || []))].map(oneLine).join('; ');
  const [now] = rows.slice(-1);
  return letter(academy, person, `${amount(academy, cents)} to spend at ${academy.brand}`, [
    `You have ${amount(academy, cents)} of credit${names.length > 0 ? ` for ${names.join(', ')}` : ''}.${reasons && ` Reason: ${reasons}`}`,
    `Together it is ${amount(academy, now?.nowCents ?? cents)}. It pays your next class, and can be paid out.`,
    toPage(academy, 'Show my credit', '/dashboard/credit', 'Your credit:'),
  ]);
}

/** An admin ended an enrolment, and nothing goes back to the card. */
export const endedMail = (
  academy: MailBrand,
  payment: Paid,
  { itemName, child, reason }: Pick<Returned, 'itemName' | 'child' | 'reason'>,
): Message => {
  const ended = `${child ? `The seat of ${childrenInWords(payment.payer, [child.name])}` : 'Your seat'} in ${oneLine(itemName)} has ended`;
  return letter(academy, payment.payer, ended, [
    `${ended}. Reason: ${oneLine(reason)}`,
    'Nothing is returned to your card with this.',
    factsOf([['Receipt', payment.receiptNumber]]),
    receiptButton(academy, payment),
  ]);
};

/** A booked seat is for another person of the family. `before`, `now`: null if they may not know. */
export const whoComesMail = (
  academy: MailBrand,
  person: Addressed,
  seat: { className: string } & Record<'before' | 'now', string | null>,
): Message => {
  const [before, now] = [seat.before, seat.now].map(
    (one) => one && childrenInWords(person, [one], 'Your'),
  );
  const name = oneLine(seat.className);
  const comes = now
    ? `${now} comes to ${name}${before && before !== now ? ` instead of ${before}` : ''}`
    : `${before} does not come to ${name} any more`;
  return letter(academy, person, comes, [
    `${comes}. Who paid for the seat has changed it.`,
    'If you did not expect this, please write to us.',
    toCalendar(academy, 'All your dates:'),
  ]);
};

/** Seats of children have ended, for the guardians who did not pay them. They do not see what goes back. */
export const seatEndedMail = (
  academy: MailBrand,
  person: Addressed,
  seats: readonly { itemName: string; child: Child }[],
): Message => {
  const ended = seats.map(
    ({ itemName, child }) =>
      `The seat of ${childrenInWords(person, [child.name])} in ${oneLine(itemName)} has ended`,
  );
  const subject = ended.length === 1 ? (ended[0] ?? '') : `${ended.length} seats have ended`;
  return letter(academy, person, subject, [
    ended.length === 1
      ? `${ended[0]}. Another guardian had booked it.`
      : 'Another guardian had booked these seats:',
    ended.length > 1 && { lines: ended },
    'If you did not expect this, please write to us.',
    toCalendar(academy, 'All dates of your family:'),
  ]);
};

export interface Cancelled {
  name: string;
  reason: string;
  /** Of the family that had a seat. */
  children: readonly string[];
  /** For who paid. */
  card: number;
  credit: number;
  /** When it goes to the card, until which it can be taken as credit. */
  until: Date | null;
  choices: readonly { paymentId: string; cents: number }[];
}

/** A class is cancelled: one mail for a family, with all its children and all its money. */
export function cancelledMail(
  academy: MailBrand,
  person: Addressed,
  { name, reason, children, card, credit, until, choices }: Cancelled,
): Message {
  const subject = `${oneLine(name)} is cancelled`;
  const money = (cents: number) => amount(academy, cents);
  const ways = [
    card > 0 && `${money(card)} goes to your card${until ? ` on ${dayOf(academy, until)}` : ''}.`,
    credit > 0 && `${money(credit)} is your credit now.`,
  ].filter((words) => words !== false);
  return letter(academy, person, subject, [
    `${subject}: its meetings to come do not take place.`,
    { quote: unlinkedLines(reason) },
    children.length > 0 && `This is about the seat of ${childrenInWords(person, children)}.`,
    card + credit > 0 && `You get ${money(card + credit)} back. ${ways.join(' ')}`,
    choices.length > 0 && 'Until then you can keep it as credit, or have it sent to your card now.',
    ...choices.map(({ paymentId, cents }) => {
      const words = `Choose what becomes of ${money(cents)}`;
      return toPage(academy, words, `/dashboard/receipt/${paymentId}`, `${words}:`);
    }),
    choices.length === 0 && toCalendar(academy),
  ]);
}

/** What the academy answers to a family whom new dates do not suit, and who keeps the seat. */
export const objectionAnsweredMail = (
  academy: MailBrand,
  person: Addressed,
  { itemName, words }: { itemName: string; words: string },
): Message =>
  letter(academy, person, `About the new dates of ${oneLine(itemName)}`, [
    `You told us that the new dates of ${oneLine(itemName)} do not suit you. The academy answers:`,
    { quote: unlinkedLines(words) },
    'The seat stays booked.',
    toCalendar(academy),
  ]);

export interface LeftSeat extends Pick<Returned, 'itemName' | 'child'> {
  paymentId: string;
  endedAt: Date;
  withdrawn: boolean;
  cardCents: number;
  creditCents: number;
}

/** The family left. Who withdraws from a contract is told what, when and how much. */
export const leftMail = (academy: MailBrand, payment: Paid, seat: LeftSeat): Message => {
  const { itemName, child, endedAt, withdrawn, cardCents, creditCents } = seat;
  const name = oneLine(itemName);
  const left = withdrawn ? `You have withdrawn from ${name}` : `You have left ${name}`;
  const whose = child ? childrenInWords(payment.payer, [child.name]) : null;
  return letter(academy, payment.payer, left, [
    `${left}.${whose ? ` The seat of ${whose} has ended.` : ''}`,
    cardCents + creditCents === 0 && 'Nothing comes back by the terms you bought under.',
    factsOf([
      ['When', momentOf(academy, endedAt)],
      ['To your card', cardCents > 0 ? amount(academy, cardCents) : null],
      ['As credit', creditCents > 0 ? amount(academy, creditCents) : null],
      ['Receipt', payment.receiptNumber],
    ]),
    cardCents > 0 && 'We write again when it is on its way to your card.',
    receiptButton(academy, payment),
  ]);
};

/** The academy gives money of a seat as credit. */
export const seatCreditMail = (
  academy: MailBrand,
  payment: Paid,
  given: Pick<LeftSeat, 'itemName' | 'child'> & { cents: number; reason: string },
): Message => {
  const subject = `${amount(academy, given.cents)} credit for ${oneLine(given.itemName)}`;
  return letter(academy, payment.payer, subject, [
    `You have ${amount(academy, given.cents)} more credit, for ${what(payment.payer, given)}. Reason: ${oneLine(given.reason)}`,
    receiptButton(academy, payment),
  ]);
};

/** What the academy answers to a family that asked for more than its terms give. */
export const askAnsweredMail = (
  academy: MailBrand,
  person: Addressed,
  { itemName, words }: { itemName: string; words: string },
): Message =>
  letter(academy, person, `About leaving ${oneLine(itemName)}`, [
    `You asked us about leaving ${oneLine(itemName)}. The academy answers:`,
    { quote: unlinkedLines(words) },
    'The seat stays booked.',
    toPage(academy, 'Show my classes', '/dashboard/myenrolledclasses'),
  ]);
