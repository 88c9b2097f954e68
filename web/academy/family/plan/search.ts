// The family planner: gives each child a class so that nothing overlaps, siblings are at the same
// place at the same time where possible, and says why. Pure: no clock, no request.
import { agesInWords } from '../../../../contract/people/ages.ts';
import { weekdays } from '../../../../contract/platform/days.ts';
import { type Time, times } from '../../../../contract/classes/weekdays.ts';
import type { PlannedClass } from '../../../../contract/classes/plans.ts';
import type { Sport } from '../../../../contract/platform/sports.ts';
import { namesInWords } from '../words.ts';

export type Interval = readonly [from: number, to: number];

export interface PlannedChild {
  id: string;
  name: string;
  /** Null: every age. */
  born: string | null;
  busy: readonly Interval[];
  has: ReadonlySet<string>;
}

/** An empty list is any. Day 1 is Monday. */
export interface Wishes {
  sports: readonly Sport[];
  days: readonly number[];
  times: readonly Time[];
}

export interface Choice {
  child: PlannedChild;
  item: PlannedClass;
}

export interface Proposal {
  choices: readonly Choice[];
  total: number;
  why: readonly string[];
  but: readonly string[];
}

const most = 3;
/** How many unfinished plans are followed at once. */
const width = 60;

export function planWeek(
  children: readonly PlannedChild[],
  classes: readonly PlannedClass[],
  wishes: Wishes,
): { proposals: Proposal[]; missing: string[] } {
  const wanted = classes.filter((item) => item.seat > 0 && suits(item, wishes)).map(prepare);
  const options = children.map((child, index) => ({
    child,
    index,
    able: wanted.filter((one) => isFor(child, one)),
  }));
  const without = options.flatMap(({ child, able }) => (able.length === 0 ? [child] : []));
  if (children.length === 0 || without.length > 0)
    return { proposals: [], missing: whyNone(without, wanted) };

  // The child with the fewest choices chooses first.
  const order = options.toSorted((a, b) => a.able.length - b.able.length || a.index - b.index);
  let drafts: Draft[] = [{ picks: [], trips: new Set(), score: 0 }];
  for (const { able, index } of order)
    drafts = drafts
      .flatMap((draft) => able.map((one) => ({ draft, one, score: scoreOf(draft, one) })))
      .filter(({ score }) => score > -Infinity)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, width)
      .map(({ draft: { picks, trips }, one, score }) => ({
        picks: [...picks, { one, index }],
        trips: new Set([...trips, ...one.weekdays]),
        score,
      }));
  if (drafts.length === 0)
    return { proposals: [], missing: ['The classes that suit have too few seats left.'] };
  const proposals = pickApart(drafts).map((draft) => propose(children, draft));
  return { proposals, missing: [] };
}

interface Ready {
  item: PlannedClass;
  spans: readonly { from: number; to: number; place: string }[];
  weekdays: readonly number[];
  /** What counts without the other children: the price, and the week of the first meeting. */
  worth: number;
}

export const spanOf = ({ startsAt, minutes }: { startsAt: string; minutes: number }): Interval => {
  const from = Date.parse(startsAt);
  return [from, from + minutes * 60_000];
};

const week = 7 * 24 * 3_600_000;

function prepare(item: PlannedClass): Ready {
  const spans = item.meetings
    .map((meeting) => {
      const [from, to] = spanOf(meeting);
      return { from, to, place: meeting.place };
    })
    .toSorted((a, b) => a.from - b.from);
  const worth = -item.price / 20 - (spans[0]?.from ?? 0) / week;
  const weekdays = [...new Set(item.week.map(({ weekday }) => weekday))];
  return { item, spans, weekdays, worth };
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

const isFor = (child: PlannedChild, { item, spans }: Ready) =>
  !child.has.has(item._id) &&
  fitsAge(child, item) &&
  !spans.some(({ from, to }) => child.busy.some(([start, end]) => from < end && start < to));

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
function compare(one: Ready, other: Ready): { together: number; apart: number } {
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
  index: number;
}
interface Draft {
  picks: readonly Taken[];
  trips: ReadonlySet<number>;
  score: number;
}

/**
 * Time together is worth most. Then fewer trips count, then the price and an early start.
 * -Infinity: the class has no seat left for this child.
 */
function scoreOf({ picks, trips, score }: Draft, one: Ready): number {
  if (picks.filter((pick) => pick.one === one).length >= one.item.seat) return -Infinity;
  const more = picks.reduce((sum, pick) => {
    const { together, apart } = compare(pick.one, one);
    return sum + 100 * together - 60 * apart;
  }, 0);
  const newTrips = one.weekdays.filter((day) => !trips.has(day)).length;
  return score + more + one.worth - 15 * newTrips;
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

function propose(children: readonly PlannedChild[], { picks, trips }: Draft): Proposal {
  const sorted = picks.toSorted((a, b) => a.index - b.index);
  const choices = sorted.flatMap(({ one, index }) => {
    const child = children[index];
    return child ? [{ child, item: one.item }] : [];
  });
  const why: string[] = [];
  const but: string[] = [];
  const namesOf = (some: readonly Taken[]) =>
    namesInWords(some.map(({ index }) => children[index]?.name ?? ''));
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
  const days = weekdays.filter((_, at) => trips.has(at + 1));
  why.push(
    `${days.length === 1 ? 'One trip' : `${days.length} trips`} a week: ${namesInWords(days)}.`,
  );
  why.push('Nothing overlaps with a class they have.');
  const cents = choices.reduce((sum, { item }) => sum + Math.round(item.price * 100), 0);
  return { choices, total: cents / 100, why, but };
}

function whyNone(children: readonly PlannedChild[], wanted: readonly Ready[]): string[] {
  if (children.length > 0 && wanted.length === 0) {
    const names = namesInWords(children.map(({ name }) => name));
    return [`No class with a free seat suits these wishes for ${names}.`];
  }
  return children.map((child) => {
    const { name } = child;
    if (wanted.some(({ item }) => fitsAge(child, item)))
      return `${name} has, or has something at the time of, every class that suits.`;
    const ages = [...new Set(wanted.map(({ item }) => agesInWords(item)))].filter(Boolean);
    return `No class that suits is for the age of ${name}. They are for ${namesInWords(ages.slice(0, 3))}.`;
  });
}
