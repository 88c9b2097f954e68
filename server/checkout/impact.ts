// What a change of a class would do, in sentences, from rows that are counted and not changed.
import { classImpact, type Impact } from '../../contract/checkout/cancel.ts';
import type { Parsed } from '../../contract/platform/call.ts';
import type { Services } from '../platform/services.ts';
import { type Db, type RowOf, query, queryOne } from '../platform/db/connection.ts';
import { activeEnrolment, liveHold } from '../platform/db/states.ts';
import type { Caller } from '../platform/http/on.ts';
import { asRows, during, type Wanted } from '../classes/conflicts.ts';
import { examine, ownClass } from '../classes/examine.ts';
import { familiesOf } from '../classes/families.ts';
import { amount, type MailBrand } from '../mail/common.ts';
import { owedFor, type OwedLine, seatsOf } from './cancel.ts';
import { shareOf } from './datecredit.ts';
import { leftForCard } from './refunds/rows.ts';

type Asked = Parsed<typeof classImpact>;

export function impactRoutes({ on, db, config }: Services): void {
  on(classImpact, async (asked, { who }) => {
    const { facts, ...counted } = await count(db, who, asked);
    const lines = sentences(config, asked, { ...counted, ...facts });
    // Dates change at once where families have booked; the rest of an approved class is proposed.
    const waits = who.role !== 'admin' && facts.status === 'approved' && !asked.meetings;
    return { ...counted, lines: waits ? lines.map((line) => `After approval: ${line}`) : lines };
  });
}

export interface Facts extends RowOf<'class', 'status' | 'capacity' | 'priceCents'> {
  /** Seats that those in line wait for. */
  wanted: number;
  /** Families that said that a change did not suit them. */
  asked: number;
  /** Dates that would change. */
  dates: number;
}

type Counted = Omit<Impact, 'lines'>;

async function count(
  db: Db,
  who: Caller,
  { id, cancel, meetings }: Asked,
): Promise<Counted & { facts: Facts }> {
  const subject = await ownClass(db, who, id);
  const run = meetings && (await examine(db, who, { subject, meetings }));
  const { status, capacity, priceCents, wanted, asked, ...row } = (await queryOne<
    Facts & Pick<Counted, 'enrolled' | 'held' | 'offered' | 'waiting'>
  >(db)`
    select status, capacity, price_cents, sold as enrolled, held - offers.n as held, offers.n as offered, line.waiting, line.wanted,
      (select count(distinct student_id)::int from enrolment
        where class_id = class.id and asked_at is not null and ${activeEnrolment()}) as asked
    from class
    cross join lateral (select count(*)::int as n from hold
      where class_id = class.id and reason = 'offer' and ${liveHold()}) offers
    cross join lateral (select count(*)::int as waiting,
        coalesce(sum(seats) filter (where state in ('waiting', 'gathering')), 0)::int as wanted
      from wish join wait on wait.id = wait_id
      where class_id = class.id and state in ('waiting', 'gathering', 'passed', 'paused')) line
    where id = ${id}`) as Facts & Counted;
  const changed = run?.changed ?? [];
  const going = changed.filter(({ cancelled }) => !cancelled);
  const facts = { status, capacity, priceCents, wanted, asked, dates: changed.length };
  return {
    ...row,
    families: (await familiesOf(db, [id])).length,
    ...(await backOf(db, cancel ? id : null)),
    ...sharesOf(changed.length - going.length, run ? await seatsOf(db, { classId: id }) : []),
    clashing: await clashing(db, id, going),
    facts,
  };
}

/** For so many cancelled dates: what a seat gets for one of them at most, and what all get. */
const sharesOf = (dates: number, seats: readonly OwedLine[]) => ({
  perMeetingCents: dates > 0 ? Math.max(0, ...seats.map((seat) => shareOf(seat))) : 0,
  meetingsCents: seats.reduce((sum, seat) => sum + shareOf(seat, dates), 0),
});

/** What goes back when the class is cancelled: to each card what it can still get, the rest as credit. */
async function backOf(db: Db, classId: string | null): Promise<Pick<Counted, 'card' | 'credit'>> {
  const sums = { card: 0, credit: 0 };
  if (classId === null) return sums;
  const left = await query<{ id: string; cents: number; disputed: boolean }>(db)`
    select id, ${leftForCard} as cents, status = 'disputed' as disputed from payment
    where id in (select payment_id from enrolment where class_id = ${classId} and ${activeEnrolment()})`;
  const lines = Map.groupBy(await seatsOf(db, { classId }), ({ paymentId }) => paymentId);
  for (const { id, cents, disputed } of left) {
    if (disputed) continue;
    const back = (lines.get(id) ?? []).reduce((sum, line) => sum + owedFor(line), 0);
    sums.card += Math.min(back, cents);
    sums.credit += Math.max(0, back - cents);
  }
  return sums;
}

/** Payers for whose participant another class meets at one of these times. */
async function clashing(db: Db, classId: string, moved: readonly Wanted[]): Promise<number> {
  if (moved.length === 0) return 0;
  const found = await queryOne<{ count: number }>(db)`
    with moved as materialized (select ${during} as during from ${asRows(moved)})
    select count(distinct enrolment.student_id)::int as count from enrolment
    join enrolment other on other.participant_id = enrolment.participant_id and ${activeEnrolment('other')}
      and other.class_id <> enrolment.class_id
    join meeting on meeting.class_id = other.class_id and meeting.state = 'on'
    join moved on moved.during && meeting.during
    where enrolment.class_id = ${classId} and ${activeEnrolment()}`;
  return found?.count ?? 0;
}

type Now = Counted & Facts;
type Words = string | false;

/** None: nobody notices the change. */
export function sentences(
  academy: MailBrand,
  { cents, seat, status, cancel, meetings }: Asked,
  now: Now,
): string[] {
  const money = (one: number) => amount(academy, one);
  return said([
    cents !== undefined &&
      cents !== now.priceCents &&
      ofPrice(now, money(cents), money(now.priceCents)),
    seat !== undefined && ofSeats(now, seat - now.capacity),
    meetings !== undefined && now.dates > 0 && now.families > 0 && ofDates(now),
    status === 'denied' && ofDenial(now),
    cancel === true && ofCancelling(now, money),
  ]);
}

const said = (words: readonly Words[]) => words.filter((one) => one !== false);
const many = (n: number, one: string, more: string) => `${n} ${n === 1 ? one : more}`;

/** '2 are paying and 1 has an offer' */
const underWay = ({ held, offered }: Now) =>
  said([
    held > 0 && many(held, 'is paying', 'are paying'),
    offered > 0 && many(offered, 'has an offer', 'have an offer'),
  ]).join(' and ');

function ofPrice(now: Now, then: string, before: string): Words {
  const { enrolled, held, offered, families } = now;
  if (enrolled + held + offered === 0) return false;
  return said([
    enrolled > 0 &&
      `${many(families, 'family has', 'families have')} paid: nothing changes for them.`,
    held + offered > 0 && `${underWay(now)} at ${before}.`,
    `New families pay ${then}.`,
  ]).join(' ');
}

function ofSeats({ capacity, enrolled, held, offered, wanted }: Now, more: number): Words {
  const free = capacity - enrolled - held - offered;
  if (more > 0 && wanted > 0) {
    const theirs = Math.min(more, wanted);
    const rest = more - theirs;
    const goes = many(theirs, 'goes to a family', 'go to families');
    return `${many(more, 'more seat', 'more seats')}: ${goes} in line at once${rest > 0 ? `, ${many(rest, 'goes', 'go')} on sale` : ''}.`;
  }
  if (-more <= free) return false;
  const taken = said([
    `${enrolled} ${enrolled === 1 ? 'is' : 'are'} sold`,
    held > 0 && many(held, 'is being paid', 'are being paid'),
    offered > 0 && many(offered, 'is offered', 'are offered'),
  ]);
  return `${many(free, 'fewer is', 'fewer are')} possible: ${taken.join(', ')}.`;
}

const ofDates = ({ families, clashing, asked }: Now): string =>
  said([
    `${many(families, 'family is', 'families are')} told.`,
    clashing > 0 && `For ${clashing} it clashes with another class.`,
    asked > 0 && `${asked} said before that a change did not suit them.`,
  ]).join(' ');

const others = ({ waiting, held, offered }: Now) => [
  waiting > 0 && many(waiting, 'waiting is told', 'waiting are told'),
  held > 0 && many(held, 'payment under way is returned', 'payments under way are returned'),
  offered > 0 && many(offered, 'offer ends', 'offers end'),
];

function ofDenial(now: Now): Words {
  const { enrolled, families } = now;
  const stays =
    enrolled > 0 && many(families, 'family keeps its seat', 'families keep their seats');
  const words = said([stays, ...others(now)]);
  return words.length > 0 && `${words.join(', ')}.`;
}

function ofCancelling(now: Now, money: (cents: number) => string): string {
  const { families, card, credit } = now;
  const ways = said([card > 0 && `${money(card)} card`, credit > 0 && `${money(credit)} credit`]);
  const back = `${money(card + credit)} back${ways.length > 0 ? ` (${ways.join(', ')})` : ''}`;
  return `${said([many(families, 'family', 'families'), back, ...others(now)]).join(', ')}.`;
}
