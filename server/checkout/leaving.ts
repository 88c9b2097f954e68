// A family leaves a class that it paid for. What comes back is computed by contract/checkout/leaving.ts;
// what was shown is what is booked, or nothing.
import type { Parsed } from '../../contract/platform/call.ts';
import {
  type Leaving,
  type LeavingLine,
  type LeavingQuote,
  type LeavingTerms,
  leaveSeat,
  quoteLeaving,
  quoteSeat,
  ratesAt,
  restIfResold,
  unusedOf,
} from '../../contract/checkout/leaving.ts';
import type { PriceRules, Why } from '../../contract/checkout/pricing.ts';
import { type Db, type RowOf, execute, query, queryOne, sql } from '../platform/db/connection.ts';
import { activeEnrolment } from '../platform/db/states.ts';
import type { Act } from '../platform/db/write.ts';
import { academyZone } from '../platform/db/zone.ts';
import { fail } from '../platform/http/fail.ts';
import type { Caller } from '../platform/http/on.ts';
import type { Services, Some } from '../platform/services.ts';
import { amount } from '../mail/common.ts';
import { mail } from '../mail/kinds.ts';
import { isGuardian } from '../people/participants.ts';
import { post, raised } from './ledger.ts';
import { type EndKind, lockPayment } from './payments/rows.ts';
import { endSeats } from './refunds/end.ts';
import { awaitResale } from './resale.ts';
import { followPayment, giveBackTo, type PaymentLine } from './refunds/rows.ts';

type To = 'card' | 'credit';

export function leavingRoutes(deps: Services): void {
  const { on, db, write } = deps;

  on(quoteSeat, async ({ id }, { who }) => {
    await ownSeat(db, who, id);
    const now = await readSeat(db, id);
    if (!now.active) fail('ENDED');
    const { until } = now.rates;
    return present(now, until === null ? null : await readSeat(db, id, new Date(until)));
  });

  on(leaveSeat, (asked, { who }) => write(who, (db) => leave(db, who, asked, deps)));
}

/** A seat that the caller paid for. Another guardian only sees it. */
export async function ownSeat(
  db: Db,
  who: Caller,
  id: string,
): Promise<RowOf<'enrolment', 'paymentId'>> {
  const mayBook = isGuardian(who.id, sql`enrolment.participant_id`);
  const seat = await queryOne<RowOf<'enrolment', 'paymentId'> & { mine: boolean }>(db)`
    select payment_id, student_id = ${who.id} and ${mayBook} as mine from enrolment
    where id = ${id} and (student_id = ${who.id} or ${mayBook})`;
  if (!seat) fail('NOT_FOUND');
  if (!seat.mine) fail('NOT_YOURS_TO_END');
  return seat;
}

interface Line extends LeavingLine {
  lineId: string;
  enrolmentId: string;
  itemName: string;
  /** Whose seat it is: a child that the payer looks after. */
  name: string | null;
  /** Who comes now. */
  nowFor: string;
  active: boolean;
  endKind: EndKind | null;
  isDated: boolean;
}

export interface Seat extends Line {
  /** The seats of the same payment that stay. */
  others: Line[];
  rules: PriceRules;
  terms: LeavingTerms;
  rates: ReturnType<typeof ratesAt>;
}

type LineRow = Omit<Line, 'of' | 'left' | 'isDated' | 'sport'> & {
  meetings: number;
  begun: number;
  over: boolean;
  why: Why[];
};

/** Meetings of the class that come after the seat was sold. */
export const itsMeetings = sql`meeting where meeting.class_id = enrolment.class_id and meeting.state = 'on'
  and lower(meeting.during) > enrolment.created_at`;

/** A seat with those that were paid with it, as they are now, or at a moment to come. */
export async function readSeat(db: Db, id: string, at: Date | null = null): Promise<Seat> {
  const now = sql`coalesce(${at}::timestamptz, now())`;
  const rows = await query<LineRow>(db)`
    select line.id as line_id, enrolment.id as enrolment_id, line.class_id, line.participant_id, line.item_name, enrolment.participant_id as now_for,
      line.participant_id = line.student_id as oneself, line.list_cents as cents, line.worth_cents as worth,
      line.back_cents as back, line.raise_cents as raise, line.why, line.meetings, ${activeEnrolment()} as active, enrolment.end_kind,
      (select count(*)::int from ${itsMeetings} and lower(meeting.during) <= ${now}) as begun,
      coalesce(class.closes_at <= ${now}, false) as over,
      (select name from participant p where p.id = enrolment.participant_id and p.self_of is null
        and exists (select from guardian g where g.user_id = enrolment.student_id and g.participant_id = p.id)) as name
    from enrolment join payment_line line on line.id = enrolment.line_id join class on class.id = enrolment.class_id
    where enrolment.payment_id = (select payment_id from enrolment where id = ${id})
      and (enrolment.id = ${id} or ${activeEnrolment()}) order by line.place`;
  const terms = await queryOne<Moments & { terms: LeavingTerms; rules: PriceRules }>(db)`
    select leaving.terms, basket.rules, ${now} as now,
      (select min(lower(during)) from ${itsMeetings}) as starts,
      (select min(lower(during)) from ${itsMeetings} and lower(meeting.during) > ${now}) as next,
      array(select (first.day - (step ->> 'days')::int + 1)::timestamp at time zone ${academyZone}
        from jsonb_array_elements(leaving.terms -> 'steps') with ordinality s(step, nth),
          (select min(day) as day from ${itsMeetings}) first order by nth) as ends,
      ((enrolment.created_at at time zone ${academyZone})::date + (leaving.terms ->> 'withdraw')::int + 1)::timestamp
        at time zone ${academyZone} as withdraw_ends
    from enrolment join payment_line line on line.id = enrolment.line_id join leaving on leaving.id = line.leaving_id
      join payment on payment.id = enrolment.payment_id join basket on basket.id = payment.basket_id
    where enrolment.id = ${id}`;
  const lines = rows.map((row) => lineOf(row, terms?.rules ?? {}));
  const seat = lines.find(({ enrolmentId }) => enrolmentId === id);
  if (!seat || !terms) throw new Error('a seat has no line');
  const others = lines.filter((line) => line !== seat);
  const rates = ratesAt(terms.terms, {
    now: terms.now.getTime(),
    starts: terms.starts?.getTime() ?? null,
    next: terms.next?.getTime() ?? null,
    ends: terms.starts === null ? [] : terms.ends.map((end) => end.getTime()),
    withdrawEnds: terms.withdrawEnds.getTime(),
  });
  return { ...seat, others, rules: terms.rules, terms: terms.terms, rates };
}

interface Moments {
  now: Date;
  starts: Date | null;
  next: Date | null;
  ends: Date[];
  withdrawEnds: Date;
}

/** A class without dates is to come as a whole until it is over. */
function lineOf({ meetings, begun, over, why, ...row }: LineRow, rules: PriceRules): Line {
  const isDated = meetings > 0;
  const of = isDated ? meetings : 1;
  const left = isDated ? Math.max(0, meetings - begun) : over ? 0 : 1;
  return Object.assign(row, { of, left, isDated, sport: sportOf(why, rules) });
}

/** By which it was priced: the class may have another one by now, or its sport another name. */
const sportOf = (why: readonly Why[], { early = [] }: PriceRules) =>
  early.find(({ id, sport }) => sport && why.some(({ rule }) => rule === id))?.sport ?? null;

const quoteFor = ({ others, rules, rates, ...seat }: Seat, to: To) =>
  quoteLeaving(seat, others, rules, rates[to]);

function present(seat: Seat, later: Seat | null): Leaving {
  const both = (of: Seat) => ({
    cardCents: quoteFor(of, 'card').back,
    creditCents: quoteFor(of, 'credit').back,
  });
  const [card, credit] = [quoteFor(seat, 'card'), quoteFor(seat, 'credit')];
  return {
    ...both(seat),
    paidCents: seat.worth,
    meetings: seat.isDated ? seat.of : 0,
    left: seat.isDated ? seat.left : 0,
    step: seat.rates.step,
    next: later && { until: new Date(seat.rates.until ?? 0).toISOString(), ...both(later) },
    why: reasons(seat, credit),
    resold: {
      cardCents: restIfResold(card, seat.terms),
      creditCents: restIfResold(credit, seat.terms),
    },
    withdraw: seat.rates.withdraw,
  };
}

/** They add up to what goes back. */
function reasons(seat: Seat, { free, own, up, claws }: LeavingQuote): Leaving['why'] {
  const { isDated, left, of, rates, worth, others } = seat;
  const unused = unusedOf(seat);
  const discounts = claws.map(({ cents }, at) => {
    const { name, itemName, left: coming, isDated: dated } = others[at] as Line;
    const whose = `The discount of ${name ?? 'your seat'} in ${itemName}`;
    const when = dated ? `, for ${meetingsOf(coming)} to come` : '';
    return { text: `${whose} ${cents > 0 ? 'falls away' : 'is back'}${when}`, cents: -cents };
  });
  return [
    isDated
      ? { text: `${left} of ${meetingsOf(of)} are to come`, cents: unused }
      : { text: 'All of it is to come', cents: left > 0 ? worth : 0 },
    { text: 'Was given back before', cents: free - unused },
    {
      text: `${rates.credit} % comes back by the terms you bought under`,
      cents: own - free,
    },
    { text: 'Was taken when others left', cents: up },
    ...discounts,
  ].filter(({ cents }, at) => at === 0 || cents !== 0);
}

const meetingsOf = (count: number) => (count === 1 ? '1 meeting' : `${count} meetings`);

type Left = { modifiedCount: number; cardCents: number; creditCents: number };
const nothing = { modifiedCount: 0, cardCents: 0, creditCents: 0 };

/** The account that paid is the caller, who is locked. */
async function leave(
  db: Db,
  who: Caller,
  { id, backCents, to, resold = false, withdraw = false }: Parsed<typeof leaveSeat>,
  deps: Some<'jobs', 'brand' | 'publicUrl' | 'currency'>,
): Promise<Act<Left>> {
  const { paymentId } = await ownSeat(db, who, id);
  const payment = await lockPayment(db, { id: paymentId });
  const seat = await readSeat(db, id);
  if (seat.endKind === 'family' || seat.endKind === 'withdrawn')
    return { answer: nothing, unaudited: 'unchanged' };
  if (!seat.active) fail('ENDED');
  if (payment?.status === 'disputed') fail('NOT_REFUNDABLE');
  if (withdraw && !seat.rates.withdraw) fail('TOO_LATE');
  const quote = quoteFor(seat, to);
  if (quote.back !== backCents) fail(quote.back === 0 ? 'NOTHING_BACK' : 'QUOTE_CHANGED');
  const line = await moveDiscounts(db, { ...seat, paymentId, studentId: who.id }, quote);
  await endSeats(db, { id }, withdraw ? 'withdrawn' : 'family', deps);
  const rest = resold ? restIfResold(quote, seat.terms) : 0;
  if (rest > 0) await awaitResale(db, { ...seat, cents: rest });
  const reason = withdraw ? 'You withdrew from the contract' : 'You left the class';
  const going = { cents: quote.back, to, nth: 'left', reason, askedBy: who.id };
  const { card: cardCents, credit: creditCents, refundId } = await giveBackTo(db, line, going);
  await followPayment(db, paymentId);
  if (refundId !== null) await deps.jobs.send(db, 'pay-back', { refundId });
  const ids = { to: who.id, enrolmentId: id, cardCents, creditCents };
  await deps.jobs.send(db, 'send-mail', mail('left', ids));
  return {
    answer: { modifiedCount: 1, cardCents, creditCents },
    audit: {
      action: withdraw ? 'contract withdrawn' : 'seat left',
      subject: paymentId,
      detail: `${seat.itemName}: ${amount(deps.config, cardCents)} to the card, ${amount(deps.config, creditCents)} as credit`,
    },
  };
}

type Leaver = Seat & Pick<PaymentLine, 'paymentId' | 'studentId'>;

/** What the others' discount loses goes from the line that ends to theirs. */
async function moveDiscounts(
  db: Db,
  { others, enrolmentId, lineId, ...seat }: Leaver,
  { claws }: LeavingQuote,
): Promise<PaymentLine> {
  const { worth: worthCents, back: backCents } = seat;
  const moved = claws.reduce((sum, { cents }) => sum + cents, 0);
  const line = { ...seat, id: lineId, worthCents, backCents, movedCents: -moved };
  await execute(db)`
    update payment_line set raise_cents = change.raise, moved_cents = moved_cents + change.cents
    from unnest(${[lineId, ...others.map((one) => one.lineId)]}::uuid[],
      ${[0, ...claws.map(({ raise }) => raise)]}::int[], ${[-moved, ...claws.map(({ cents }) => cents)]}::int[]) as change (id, raise, cents)
    where payment_line.id = change.id`;
  const postings = claws.map(({ cents }, at) =>
    raised(line, others[at]?.lineId ?? '', enrolmentId, cents),
  );
  await post(db, ...postings);
  return line;
}
