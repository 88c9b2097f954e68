// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { openBasket, quoteBasket } from '../../../contract/checkout/checkout.ts';
import type { ErrorCode } from '../../../contract/platform/errors.ts';
import { lineRefusals } from '../../../contract/platform/lines.ts';
import { refusal, show } from '../../testing/screen.tsx';
import { archery, press, swimming, tennis } from '../../testing/till.tsx';
import { Problem } from './Problem.tsx';
import type { Go } from './useOpening.ts';

type Code = ErrorCode | (typeof lineRefusals)[number];

function problem(code: Code, lines = [archery], more: { totalCents?: number } = {}) {
  const onAgain = vi.fn<() => void>();
  const go = vi.fn<Go>();
  const one = lineRefusals.find((known) => known === code);
  const error = refusal(one ? 'BASKET_REFUSED' : (code as ErrorCode), {
    ...more,
    ...(one && { lines: lines.map(({ cartItemId }) => ({ cartItemId, code: one })) }),
  });
  show(
    <Problem
      {...{ onAgain, go }}
      opening={{ lines, seen: 9_900, spendable: 0, problem: error }}
      several={lines.length > 1}
      coupon="SPRING"
    />,
  );
  const text = screen.getAllByRole('alert').at(-1)?.textContent ?? '';
  return { onAgain, go, text };
}

const told =
  /Nothing (was|has been) charged|You have not been charged again|goes back to your card in full/;
const codes = [...new Set<Code>([...openBasket.errors, ...quoteBasket.errors, ...lineRefusals])];

describe('seats that are not held', () => {
  it.each(codes.filter((code) => code !== 'BASKET_REFUSED'))(
    'by %s say what was charged',
    (code) => {
      for (const lines of [[archery], [tennis, swimming]])
        expect(problem(code, lines).text).toMatch(told);
    },
  );

  it.each([
    ['SOLD_OUT', 'No seat is left', 'See other classes'],
    ['ALREADY_ENROLLED', 'This class is paid for', 'My enrolled classes'],
    ['PAYMENT_RETURNED', 'Your money comes back', 'Payment history'],
    ['INVALID_INPUT', 'This class is not in your cart any more', 'My enrolled classes'],
    ['TOO_MANY_HOLDS', 'Three payments are open already', 'Go to my cart'],
  ] as const)('by %s say so and lead on', (code, title, link) => {
    problem(code);
    expect(screen.getByRole('heading').textContent).toBe(title);
    expect(screen.getByRole('link', { name: link })).toBeTruthy();
  });

  it.each([
    ['HOLD_EXPIRED', 'Hold a seat again'],
    ['BEING_PAID', 'Try again'],
    ['PROVIDER_DOWN', 'Try again'],
  ] as const)('by %s can be tried again', async (code, button) => {
    const { onAgain } = problem(code);
    await press(button);
    expect(onAgain).toHaveBeenCalledTimes(1);
  });

  it.each([
    [[archery], 'Archery Basics cost $99.00 when you saw it; it is $129.00 now.'],
    [[tennis, swimming], 'It was $99.00 when you saw it; it is $129.00 now.'],
  ])('by a new total show both, and go on with it', async (lines, words) => {
    const { text, go } = problem('TOTAL_CHANGED', lines, { totalCents: 12_900 });
    expect(text).toContain(words);
    await press('Continue with $129.00');
    expect(go).toHaveBeenCalledWith({ coupon: 'SPRING', seen: 12_900 });
  });

  it('by a code that does not count go on without it', async () => {
    const { go } = problem('COUPON_USED_UP');
    await press('Continue without the code');
    expect(go).toHaveBeenCalledWith({});
  });
});
