// Discounts: the admin's calls. What they take off is computed in pricing.ts.
import * as z from 'zod/mini';
import { call } from '../platform/call.ts';
import { answer, changed, described } from '../platform/described.ts';
import { limits } from '../platform/limits.ts';
import { day } from '../platform/period.ts';
import { discountKinds } from './pricing.ts';
import { centsUpTo, id, paging, text, wholeNumber } from '../platform/rules.ts';

/** Without spaces, in capitals: as it is stored and compared. */
export const normalCode = (code: string) => code.replace(/\s+/g, '').toUpperCase();

export const couponCode = described(
  z
    .string()
    .check(
      z.maxLength(60, 'must have at most 24 characters'),
      z.overwrite(normalCode),
      z.regex(/^[A-Z0-9-]{4,24}$/, 'must be 4 to 24 letters, digits or hyphens'),
    ),
  { type: 'string', minLength: 4, maxLength: 60 },
);

const percent = wholeNumber(100);
const rank = z
  .int('must be a whole number')
  .check(
    z.minimum(limits.discount.ranks.min, `must be at least ${limits.discount.ranks.min}`),
    z.maximum(limits.discount.ranks.max, `must be at most ${limits.discount.ranks.max}`),
  );
const Step = z.strictObject({ rank, percent });
const rises = (steps: readonly { rank: number; percent: number }[]) =>
  steps.every((step, index) => {
    const before = steps[index - 1];
    return !before || (before.rank < step.rank && before.percent <= step.percent);
  });
const steps = z
  .array(Step)
  .check(
    z.minLength(1, 'must have at least one step'),
    z.maxLength(11, 'must have at most 11 steps'),
    z.refine(rises, 'must rise in rank, and must not fall in percent'),
  );

const fields = {
  kind: z.enum(discountKinds, `must be one of ${discountKinds.join(', ')}`),
  name: text(limits.name, 1),
  percent: z.optional(percent),
  cents: z.optional(
    centsUpTo(
      limits.discount.maxCents,
      limits.discount.minCents,
      'must be between 0.01 and 10000.00, with at most two decimal places',
    ),
  ),
  steps: z.optional(steps),
  code: z.optional(couponCode),
  until: z.optional(day),
  classId: z.optional(id),
  sport: z.optional(text(limits.academy.sport, 1)),
  usesMost: z.optional(wholeNumber(limits.discount.uses)),
  perAccount: z.optional(wholeNumber(limits.discount.perAccount)),
};
type Field = Exclude<keyof typeof fields, 'kind' | 'name'>;

/** Which fields each kind must and may have; every other one is refused. */
const rules: Record<(typeof discountKinds)[number], { must: Field[]; may: Field[] }> = {
  early: { must: ['percent', 'until'], may: ['classId', 'sport'] },
  classes: { must: ['steps'], may: [] },
  siblings: { must: ['steps'], may: [] },
  coupon: { must: ['code'], may: ['percent', 'cents', 'until', 'usesMost', 'perAccount'] },
};

type Given = { kind: keyof typeof rules } & Partial<Record<Field, unknown>>;
const fits = z.check<Given>(({ value, issues }) => {
  const rule = rules[value.kind];
  if (!rule) return;
  const refuse = (field: Field, message: string) =>
    issues.push({ code: 'custom', path: [field], message, input: value[field] ?? null });
  const allowed = new Set([...rule.must, ...rule.may]);
  for (const field of Object.keys(fields).slice(2) as Field[]) {
    if (value[field] === undefined && rule.must.includes(field)) refuse(field, 'is required');
    if (value[field] !== undefined && !allowed.has(field))
      refuse(field, `does not belong to a discount of the kind ${value.kind}`);
  }
  if (value.kind === 'coupon' && (value.percent === undefined) === (value.cents === undefined))
    refuse('percent', 'or cents is required, not both');
  if (value.classId !== undefined && value.sport !== undefined)
    refuse('sport', 'cannot be given together with a class');
});

/**
 * `until` is its last day. `uses` counts uses of a coupon (also those being paid for) and otherwise
 * seats that were sold with it; `givenCents` is what it took off them. Null and no steps: not of this kind,
 * or without a limit.
 */
export const Discount = z.object({
  discountId: answer.id,
  kind: z.enum(discountKinds),
  name: z.string(),
  percent: z.nullable(answer.count),
  cents: z.nullable(answer.count),
  steps: z.array(z.object({ rank: answer.count, percent: answer.count })),
  code: z.nullable(z.string()),
  until: z.nullable(answer.day),
  classId: z.nullable(answer.id),
  className: z.nullable(z.string()),
  sport: z.nullable(z.string()),
  usesMost: z.nullable(answer.count),
  uses: answer.count,
  givenCents: answer.count,
  state: z.enum(['on', 'over', 'ended']),
});
export type Discount = z.infer<typeof Discount>;

export const listDiscounts = call('GET /discounts', {
  does: 'The discounts, those in force first, with their uses and the money given so far.',
  access: 'admin',
  input: z.strictObject({ ...paging }),
  response: z.array(Discount),
  paged: true,
});

export const addDiscount = call('POST /discounts', {
  does: 'Adds a discount. Of the kinds classes and siblings one is in force: a new one ends the one before.',
  access: 'admin',
  example: { kind: 'coupon', name: 'Welcome', code: 'new code', percent: 10 },
  input: z.strictObject(fields).check(fits),
  response: z.object({ insertedId: answer.id }),
  errors: ['NOT_FOUND', 'CODE_TAKEN'],
  status: 201,
});

export const endDiscount = call('PATCH /discounts/:id', {
  does: 'Ends a discount. Payments that have begun with it keep it.',
  access: 'admin',
  example: { id: 'discount', ended: true },
  input: z.strictObject({ id, ended: z.literal(true, 'must be true') }),
  response: changed,
  errors: ['NOT_FOUND'],
});
