// What a basket costs: early bird, then several classes, then siblings, then the coupon, each on
// what the one before left. Pure: no clock, no database, integer cents. The server charges by it and
// the pages show examples with it.

/** What one seat costs before discounts. A participant has a class at most once. */
export interface PriceLine {
  participantId: string;
  /** The account's owner: has no rank among the children. */
  oneself?: boolean;
  classId: string;
  sport?: string | null;
  cents: number;
}

interface Rule {
  id: string;
  /** What a reader sees. */
  name?: string;
}
/** From `rank` on, until the next step. Percents do not fall with the rank. */
export interface Step {
  rank: number;
  percent: number;
}
interface Ranked extends Rule {
  steps: readonly Step[];
}
interface EarlyBird extends Rule {
  percent: number;
  /** Only this class, or this sport; without both every class. */
  classId?: string | null;
  sport?: string | null;
}
/** A percentage or an amount, never both. */
interface Coupon extends Rule {
  percent?: number | null;
  cents?: number | null;
}
/** Active enrolments that count as earlier ranks, in order of the first one of each participant. */
export interface Earlier {
  participantId: string;
  oneself?: boolean;
  classes: number;
}

/** The rules in force at one moment: `basket.rules` keeps them. */
export interface PriceRules {
  early?: readonly EarlyBird[];
  classes?: Ranked | null;
  siblings?: Ranked | null;
  coupon?: Coupon | null;
  earlier?: readonly Earlier[];
}

export const discountKinds = ['early', 'classes', 'siblings', 'coupon'] as const;
export type DiscountKind = (typeof discountKinds)[number];
/** Which rule took how much off a line. `small` has no rule. It never names a person. */
export interface Why {
  rule: string | null;
  kind: DiscountKind | 'small';
  cents: number;
}
export type Priced<Line extends PriceLine = PriceLine> = Line & {
  discount: number;
  amount: number;
  why: Why[];
};
export interface Price<Line extends PriceLine = PriceLine> {
  /** In the order in which they were given. */
  lines: Priced<Line>[];
  total: number;
  saved: number;
}

/** The card provider takes no smaller amount. */
export const smallest = 50;

/** Half a cent is rounded up, in favour of the payer. */
const part = (cents: number, percent: number) => Math.floor((cents * percent + 50) / 100);

const percentAt = (steps: readonly Step[], rank: number) =>
  steps.reduce(
    (percent, step) => (step.rank <= rank ? Math.max(percent, step.percent) : percent),
    0,
  );

const sumOf = (lines: readonly Priced[]) => lines.reduce((sum, { amount }) => sum + amount, 0);

/** The same order for the same lines, however they were given. */
const byId = (one: PriceLine, other: PriceLine) =>
  compare(one.participantId, other.participantId) || compare(one.classId, other.classId);
const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

function take(line: Priced, cents: number, kind: Why['kind'], rule: string | null): void {
  if (cents === 0) return;
  line.discount += cents;
  line.amount -= cents;
  line.why.push({ rule, kind, cents });
}

/**
 * One discount on the sum of several lines, shared in proportion by largest remainder. Rounding the
 * sum once is what keeps the promise that one more class never lowers the total: rounding each line
 * breaks it by a cent.
 */
function share(lines: readonly Priced[], cents: number, kind: DiscountKind, rule: string): void {
  const sum = sumOf(lines);
  if (sum === 0) return;
  const whole = Math.min(cents, sum);
  const shares = lines.toSorted(byId).map((line) => ({
    line,
    cents: Math.floor((whole * line.amount) / sum),
    remainder: (whole * line.amount) % sum,
  }));
  const rest = whole - shares.reduce((given, one) => given + one.cents, 0);
  shares
    .toSorted((one, other) => other.remainder - one.remainder)
    .forEach((one, index) => take(one.line, one.cents + (index < rest ? 1 : 0), kind, rule));
}

function applyEarly(lines: readonly Priced[], rules: PriceRules): void {
  for (const line of lines) {
    for (const { id, percent, classId, sport } of rules.early ?? []) {
      const fits = (!classId || classId === line.classId) && (!sport || sport === line.sport);
      if (fits) take(line, part(line.amount, percent), 'early', id);
    }
  }
}

/** The first class of a participant, and the most expensive of those bought together, is full price. */
function applyClasses(lines: readonly Priced[], { classes, earlier = [] }: PriceRules): void {
  if (!classes) return;
  for (const [participantId, own] of Map.groupBy(lines, (line) => line.participantId)) {
    const before = earlier.find((one) => one.participantId === participantId)?.classes ?? 0;
    own
      .toSorted((one, other) => other.amount - one.amount || byId(one, other))
      .forEach((line, index) => {
        const percent = percentAt(classes.steps, before + index + 1);
        take(line, part(line.amount, percent), 'classes', classes.id);
      });
  }
}

/** Children who are enrolled already come first, in that order; then the most expensive child. */
function applySiblings(lines: readonly Priced[], { siblings, earlier = [] }: PriceRules): void {
  if (!siblings) return;
  const children = lines.filter(({ oneself }) => !oneself);
  const before = earlier.filter((one) => !one.oneself && one.classes > 0);
  const placeOf = (id: string) => before.findIndex(({ participantId }) => participantId === id);
  const families = [...Map.groupBy(children, ({ participantId }) => participantId)]
    .map(([id, own]) => ({ id, own, sum: sumOf(own) }))
    .toSorted((one, other) => other.sum - one.sum || compare(one.id, other.id));
  let newcomers = before.length;
  for (const { id, own, sum } of families) {
    const place = placeOf(id);
    const rank = (place === -1 ? newcomers++ : place) + 1;
    share(own, part(sum, percentAt(siblings.steps, rank)), 'siblings', siblings.id);
  }
}

function applyCoupon(lines: readonly Priced[], { coupon }: PriceRules): void {
  if (!coupon) return;
  const cents = coupon.cents ?? part(sumOf(lines), coupon.percent ?? 0);
  share(lines, cents, 'coupon', coupon.id);
}

export function priceOf<Line extends PriceLine>(
  wanted: readonly Line[],
  rules: PriceRules = {},
): Price<Line> {
  const lines: Priced<Line>[] = wanted.map((line) => ({
    ...line,
    discount: 0,
    amount: line.cents,
    why: [],
  }));
  applyEarly(lines, rules);
  applyClasses(lines, rules);
  applySiblings(lines, rules);
  applyCoupon(lines, rules);
  if (sumOf(lines) < smallest) for (const line of lines) take(line, line.amount, 'small', null);
  return {
    lines,
    total: sumOf(lines),
    saved: lines.reduce((saved, { discount }) => saved + discount, 0),
  };
}

/** The reasons of a line in words. The amounts are cents. */
export function explain(why: readonly Why[], rules: PriceRules): { text: string; cents: number }[] {
  const all = [...(rules.early ?? []), rules.classes, rules.siblings, rules.coupon];
  const nameOf = (id: string | null) => all.find((rule) => rule?.id === id)?.name;
  return why.map(({ rule, kind, cents }) => ({
    text: kind === 'small' ? 'Less than 0.50 is not charged' : nameOf(rule) || kindNames[kind],
    cents,
  }));
}

export const kindNames: Record<DiscountKind, string> = {
  early: 'Early bird',
  classes: 'Several classes',
  siblings: 'Siblings',
  coupon: 'Coupon',
};

/** A class that a participant could have in addition. `name` is null for oneself. */
export type Imagined = PriceLine & { name: string | null };

/**
 * The one suggestion that saves most: what the next step of a rule would take off if one of the
 * imagined lines were added. Null when no rule would give anything.
 */
export function nudgeOf(
  lines: readonly PriceLine[],
  rules: PriceRules,
  imagined: readonly Imagined[],
): Nudge | null {
  const given = (all: readonly PriceLine[]) => {
    const ranked = { ...rules, coupon: null };
    const whys = priceOf(all, ranked).lines.flatMap(({ why }) => why);
    return whys.reduce(
      (sum, { kind, cents }) => sum + (kind === 'classes' || kind === 'siblings' ? cents : 0),
      0,
    );
  };
  const now = given(lines);
  const best = imagined
    .map((line) => ({ line, more: given([...lines, line]) - now }))
    .filter(({ more }) => more > 0)
    .toSorted((one, other) => other.more - one.more || byId(one.line, other.line))[0];
  return best ? nudge(lines, rules, best.line, best.more) : null;
}

export type Nudge = ReturnType<typeof nudge>;

function nudge(lines: readonly PriceLine[], rules: PriceRules, line: Imagined, more: number) {
  const another =
    lines.some(({ participantId }) => participantId === line.participantId) ||
    rules.earlier?.some(({ participantId }) => participantId === line.participantId) === true;
  // In percent when the whole discount is on the added line, or on one of the same price.
  const plain = { ...rules, early: [], coupon: null };
  const hit = priceOf([...lines, line], plain).lines.find(
    ({ cents, discount }) => cents === line.cents && discount === more,
  );
  const percent = hit ? Math.round((more * 100) / line.cents) : 0;
  const isExact = part(line.cents, percent) === more;
  return { name: line.name, another, percent: isExact ? percent : 0, cents: more };
}
