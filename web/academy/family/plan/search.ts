// The family planner: gives each child a class so that nothing overlaps, siblings are at the same
// place at the same time where possible, and says why. Pure: no clock, no request.
import { agesInWords } from '../../../../contract/people/ages.ts';
import { weekdays } from '../../../../contract/platform/days.ts';
import { type Time, times } from '../../../../contract/classes/finding.ts';
import type { PlannedClass } from '../../../../contract/classes/plans.ts';
import type { Sport } from '../../../../contract/platform/sports.ts';

/** Milliseconds since 1970: from the start of a meeting to its end. */
export type Interval = readonly [from: number, to: number];

export interface PlannedChild {
  id: string;
  name: string;
  /** Null: every age. */
  born: string | null;
  /** What the child goes to already. */
  busy: readonly Interval[];
  /** Classes that the child has, or that are in the cart for the child. */
  has: ReadonlySet<string>;
}

export interface Wishes {
  /** Empty: any. */
  sports: readonly Sport[];
  /** 1 is Monday. Empty: any. */
  days: readonly number[];
  /** Empty: any. */
  times: readonly Time[];
}

export interface Choice {
  child: PlannedChild;
  item: PlannedClass;
}

export interface Proposal {
  /** One for each child, in the order of the children. */
  choices: readonly Choice[];
  total: number;
  /** Weekdays on which the family comes, Monday is 1. */
  trips: readonly number[];
  /** Why this plan. */
  why: readonly string[];
  /** What is not so good about it. */
  but: readonly string[];
}

export interface Planned {
  proposals: readonly Proposal[];
  /** Why there is no plan. */
  missing: readonly string[];
}

const most = 3;
/** How many unfinished plans are followed at once. */
const width = 60;

export function planWeek(
  children: readonly PlannedChild[],
  classes: readonly PlannedClass[],
  wishes: Wishes,
): Planned {
  const wanted = classes.filter((item) => item.seat > 0 && suits(item, wishes)).map(prepare);
  const options = children.map((child, index) => {
    const busy = partsOf(child.busy);
    return { child, index, able: wanted.filter((one) => isFor(child, one, busy)) };
  });
  const without = options.filter(({ able }) => able.length === 0);
  if (children.length === 0 || without.length > 0)
    return {
      proposals: [],
      missing: whyNone(
        without.map(({ child }) => child),
        wanted,
      ),
    };

  // The child with the fewest choices chooses first.
  const order = options.toSorted((a, b) => a.able.length - b.able.length || a.index - b.index);
  const gainsWith = gains(wanted);
  let drafts: Draft[] = [{ picks: [], days: 0, score: 0 }];
  for (const { able, index } of order) {
    // Of each draft with each class. Numbers: objects would make the first call twice as slow.
    const scores = new Float64Array(drafts.length * able.length);
    let at = 0;
    for (const draft of drafts) {
      const more = gainsWith(draft.picks);
      for (const one of able) scores[at++] = scoreOf(draft, one, more[one.nth] ?? 0);
    }
    drafts = bestOf(scores).flatMap(([score, at]) => {
      const [draft, one] = [drafts[Math.floor(at / able.length)], able[at % able.length]];
      if (!draft || !one) return [];
      return [{ picks: [...draft.picks, { one, index }], days: draft.days | one.days, score }];
    });
  }
  if (drafts.length === 0)
    return { proposals: [], missing: ['The classes that suit have too few seats left.'] };
  const proposals = pickApart(drafts).map(({ picks }) => propose(children, picks));
  return { proposals, missing: [] };
}

/** A class with what is asked again and again about it. */
interface Ready {
  item: PlannedClass;
  /** Its number among those that suit. */
  nth: number;
  spans: readonly { from: number; to: number; place: string }[];
  /** The weekdays as bits, Monday is the lowest. */
  days: number;
  /** When it meets, as bits: classes that meet at the same moment have one in common. */
  parts: number;
  /** What counts without the other children: the price, and the week of the first meeting. */
  worth: number;
}

const week = 7 * 24 * 3_600_000;
/** A week has 28 of them. */
const quarterDay = week / 28;

function prepare(item: PlannedClass, nth: number): Ready {
  const spans = item.meetings
    .map(({ startsAt, minutes, place }) => {
      const from = Date.parse(startsAt);
      return { from, to: from + minutes * 60_000, place };
    })
    .toSorted((a, b) => a.from - b.from);
  const days = item.week.reduce((bits, { weekday }) => bits | (1 << (weekday - 1)), 0);
  const parts = partsOf(spans.map(({ from, to }) => [from, to]));
  const worth = -item.price / 20 - (spans[0]?.from ?? 0) / week;
  return { item, nth, spans, days, parts, worth };
}

function partsOf(intervals: readonly Interval[]): number {
  let bits = 0;
  for (const [from, to] of intervals)
    for (let at = Math.floor(from / quarterDay); at * quarterDay < to; at++) bits |= 1 << (at % 28);
  return bits;
}

const timeOf = (starts: string): Time =>
  times[Number(starts >= '12:00') + Number(starts >= '17:00')] ?? 'morning';

/** Every meeting of the week is on a day and at a time that the family has. */
const suits = ({ sport, week, meetings }: PlannedClass, wishes: Wishes) =>
  meetings.length > 0 &&
  (wishes.sports.length === 0 || wishes.sports.includes(sport)) &&
  week.every(
    ({ weekday, starts }) =>
      (wishes.days.length === 0 || wishes.days.includes(weekday)) &&
      (wishes.times.length === 0 || wishes.times.includes(timeOf(starts))),
  );

const isFor = (child: PlannedChild, { item, spans, parts }: Ready, busy: number) =>
  !child.has.has(item._id) &&
  fitsAge(child, item) &&
  !(
    (parts & busy) !== 0 &&
    spans.some(({ from, to }) => child.busy.some(([start, end]) => from < end && start < to))
  );

/** The age is counted on the first day of the class. */
export function fitsAge(
  { born }: Pick<PlannedChild, 'born'>,
  { minAge, maxAge, firstDay }: Pick<PlannedClass, 'minAge' | 'maxAge' | 'firstDay'>,
): boolean {
  if (!born) return true;
  const age = Number(firstDay.slice(0, 4)) - Number(born.slice(0, 4));
  const years = firstDay.slice(5) < born.slice(5) ? age - 1 : age;
  return years >= (minAge ?? 0) && years <= (maxAge ?? Infinity);
}

/** How much of the time of two classes is together, and how much at different places. */
interface Relation {
  together: number;
  apart: number;
}

/** What each class adds to the score of these picks, by its number. Each class is compared once. */
function gains(wanted: readonly Ready[]) {
  const kept = new Map<Ready, Float64Array>();
  const gainsOf = (one: Ready) => {
    const known = kept.get(one) ?? Float64Array.from(wanted, (other) => gainOf(one, other));
    kept.set(one, known);
    return known;
  };
  return (picks: readonly Taken[]): Float64Array => {
    const sums = new Float64Array(wanted.length);
    for (const { one } of picks)
      gainsOf(one).forEach((gain, nth) => {
        if (gain !== 0) sums[nth] = (sums[nth] ?? 0) + gain;
      });
    return sums;
  };
}

/** Together is worth most. */
function gainOf(one: Ready, other: Ready): number {
  if ((one.parts & other.parts) === 0) return 0;
  const { together, apart } = compare(one, other);
  return 100 * together - 60 * apart;
}

function compare(one: Ready, other: Ready): Relation {
  if (one === other) return { together: 1, apart: 0 };
  let [together, apart, at] = [0, 0, 0];
  for (const { from, to, place } of one.spans) {
    while ((other.spans[at]?.to ?? Infinity) <= from) at++;
    const met = other.spans[at];
    if (!met || met.from >= to) continue;
    if (place !== '' && met.place === place) together++;
    else apart++;
  }
  const all = Math.max(one.spans.length, other.spans.length, 1);
  return { together: together / all, apart: apart / all };
}

interface Taken {
  one: Ready;
  /** Of the child. */
  index: number;
}
interface Draft {
  picks: readonly Taken[];
  /** The weekdays on which the family comes, as bits. */
  days: number;
  score: number;
}

/**
 * `more` is for time together. Then fewer trips count, then the price and an early start.
 * -Infinity: the class has no seat left for this child.
 */
function scoreOf({ picks, days, score }: Draft, one: Ready, more: number): number {
  let { seat } = one.item;
  for (const pick of picks) if (pick.one === one) seat--;
  if (seat <= 0) return -Infinity;
  return score + more + one.worth - 15 * dayCount(one.days & ~days);
}

/** The highest scores with their places, the highest first. */
function bestOf(scores: Float64Array): [score: number, at: number][] {
  const least = scores.toSorted().at(-width) ?? -Infinity;
  const best: [score: number, at: number][] = [];
  scores.forEach((score, at) => {
    if (score >= least && score > -Infinity) best.push([score, at]);
  });
  return best.toSorted(([a], [b]) => b - a).slice(0, width);
}

function dayCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest > 0; rest &= rest - 1) count++;
  return count;
}

/** The best, and others that differ from it for at least half of the children where possible. */
function pickApart(drafts: readonly Draft[]): Draft[] {
  const chosen: Draft[] = [];
  const differs = (draft: Draft, least: number) =>
    chosen.every(
      (other) => draft.picks.filter(({ one }, at) => one !== other.picks[at]?.one).length >= least,
    );
  for (const least of [Math.ceil((drafts[0]?.picks.length ?? 0) / 2), 1])
    for (const draft of drafts)
      if (chosen.length < most && differs(draft, least)) chosen.push(draft);
  return chosen.toSorted((a, b) => b.score - a.score);
}

/** Those who are together most of the time, each in one group. */
function groupsOf(picks: readonly Taken[]): Taken[][] {
  const groups: Taken[][] = [];
  for (const pick of picks) {
    const group = groups.find((others) =>
      others.every(({ one }) => compare(one, pick.one).together > 0.5),
    );
    if (group) group.push(pick);
    else groups.push([pick]);
  }
  return groups;
}

function propose(children: readonly PlannedChild[], picks: readonly Taken[]): Proposal {
  const sorted = picks.toSorted((a, b) => a.index - b.index);
  const choices = sorted.flatMap(({ one, index }) => {
    const child = children[index];
    return child ? [{ child, item: one.item }] : [];
  });
  const came = sorted.reduce((bits, { one }) => bits | one.days, 0);
  const trips = [1, 2, 3, 4, 5, 6, 7].filter((day) => came & (1 << (day - 1)));
  const why: string[] = [];
  const but: string[] = [];
  const namesOf = (some: readonly Taken[]) =>
    listed(some.map(({ index }) => children[index]?.name ?? ''));
  for (const group of groupsOf(sorted)) {
    const [first] = group;
    if (!first || group.length === 1) continue;
    const isSame = group.every(({ one }) => one === first.one);
    const where = isSame ? 'in the same class' : `at ${first.one.spans[0]?.place} at the same time`;
    why.push(`${namesOf(group)} are ${where}.`);
  }
  for (const [at, first] of sorted.entries())
    for (const second of sorted.slice(at + 1))
      if (compare(first.one, second.one).apart > 0)
        but.push(`${namesOf([first, second])} have class at the same time at different places.`);
  const named = trips.map((day) => weekdays[day - 1] ?? '');
  why.push(
    `${trips.length === 1 ? 'One trip' : `${trips.length} trips`} a week: ${listed(named)}.`,
  );
  why.push('Nothing overlaps with a class they have.');
  const cents = choices.reduce((sum, { item }) => sum + Math.round(item.price * 100), 0);
  return { choices, total: cents / 100, trips, why, but };
}

function whyNone(children: readonly PlannedChild[], wanted: readonly Ready[]): string[] {
  if (children.length > 0 && wanted.length === 0) {
    const names = listed(children.map(({ name }) => name));
    return [`No class with a free seat suits these wishes for ${names}.`];
  }
  return children.map((child) => {
    const { name } = child;
    if (wanted.some(({ item }) => fitsAge(child, item)))
      return `${name} has, or has something at the time of, every class that suits.`;
    const ages = [...new Set(wanted.map(({ item }) => agesInWords(item)))].filter(Boolean);
    return `No class that suits is for the age of ${name}. They are for ${listed(ages.slice(0, 3))}.`;
  });
}

const listed = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
