// What a discount means, as an example that is computed by the same function as the real prices.
import {
  priceOf,
  type PriceLine,
  type PriceRules,
  type Step,
} from '../../../contract/checkout/pricing.ts';
import type { Discount } from '../../../contract/checkout/discounts.ts';
import { dayName } from '../../platform/ui/dates.ts';
import { price as inMoney } from '../../platform/ui/money.ts';

const price = 9_000;
const counts = ['', 'One', 'Two', 'Three', 'Four', 'Five'];
const ranks = ['', 'first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];
const rankName = (rank: number) => ranks[rank] ?? `${rank}th`;

const sumOf = (lines: readonly PriceLine[], rules: PriceRules) => {
  const { lines: priced, total } = priceOf(lines, rules);
  return `${priced.map(({ amount }) => inMoney(amount)).join(' + ')} = ${inMoney(total)}`;
};

const line = (participantId: string, classId: string, cents = price): PriceLine => ({
  participantId,
  classId,
  cents,
});
/** One more than the highest rank, so that the last step is seen. */
const howMany = (steps: readonly Step[]) =>
  Math.min(5, Math.max(2, ...steps.map(({ rank }) => rank)));
const several = (count: number) => Array.from({ length: count }, (_, index) => String(index));

export function siblingsExample(steps: readonly Step[]): string {
  const count = howMany(steps);
  const lines = several(count).map((child) => line(child, 'class'));
  return `${counts[count]} children, ${inMoney(price)} each: ${sumOf(lines, { siblings: { id: '', steps } })}`;
}

export function classesExample(steps: readonly Step[]): string {
  const count = howMany(steps);
  const lines = several(count).map((id) => line('child', id));
  return `One child, ${counts[count]?.toLowerCase()} classes of ${inMoney(price)}: ${sumOf(lines, { classes: { id: '', steps } })}`;
}

export function earlyExample(percent: number, until: string): string {
  const { total } = priceOf([line('child', 'class')], { early: [{ id: '', percent }] });
  const day = until && ` until ${dayName(until)}`;
  return `A class of ${inMoney(price)} costs ${inMoney(total)}${day}.`;
}

export function couponExample(coupon: { percent?: number; cents?: number }): string {
  const lines = [line('child', 'one'), line('child', 'other', 8_100)];
  const full = priceOf(lines).total;
  const { total } = priceOf(lines, { coupon: { id: '', ...coupon } });
  return `Two classes, ${inMoney(full)} together, cost ${total === 0 ? 'nothing' : inMoney(total)}.`;
}

type Given = Pick<Discount, 'kind' | 'percent' | 'cents' | 'steps'>;

/** '10 % from the second child, 20 % from the third' */
export function inWords({ kind, percent, cents, steps }: Given): string {
  if (kind === 'early' || kind === 'coupon')
    return percent === null ? `${inMoney(cents ?? 0)} off` : `${percent} % off`;
  const noun = kind === 'siblings' ? ' child' : ' class';
  return steps
    .map(({ rank, percent: off }, index) => {
      const name = `${rankName(rank)}${index === 0 ? noun : ''}`;
      return `${off} % from the ${name}`;
    })
    .join(', ');
}
