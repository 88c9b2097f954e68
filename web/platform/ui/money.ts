// Amounts as people read them: `$1,250.00`, and `$95` where a price has no cents and space is
// short. In the academy's currency and language.
import { amount, hasComma } from './locale.ts';

export const money = (value: number) => amount(value);
/** Of our own calls. */
export const price = (cents: number) => amount(cents / 100);

/** Of an amount as people type it: a comma is a point. Anything else is left to the rules. */
export const decimal = (typed: string | number) =>
  String(typed)
    .trim()
    .replace(/^(\d+),(\d{1,2})$/, '$1.$2');

/** The amounts of a text in the form in which people type them: `120,50` in a German academy. */
export const asTyped = (words: string) =>
  hasComma() ? words.replace(/(\d)\.(\d\d?)(?!\d)/g, '$1,$2') : words;

export const shortMoney = (value: number) => amount(value, { brief: true });

/** Of a class that has begun: how much of it the price is for. */
export const partInWords = (part: { left: number; of: number; fullCents: number }) =>
  `${part.left} of ${part.of} meetings (all: ${price(part.fullCents)})`;
