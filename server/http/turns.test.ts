import { expect, it } from 'vitest';
import { createTurns } from './turns.ts';

it('two pieces of work run at a time, the others in the order in which they came', async () => {
  const inTurn = createTurns({ atOnce: 2, mostWaiting: 3 });
  const begun: number[] = [];
  const ends = [1, 2, 3, 4, 5].map(() => Promise.withResolvers<void>());
  const work = ends.map((end, nth) =>
    inTurn(() => {
      begun.push(nth);
      return end.promise;
    }),
  );
  await expect(inTurn(async () => undefined)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(begun).toEqual([0, 1]);
  ends[1]?.reject(new Error('broken'));
  await expect(work[1]).rejects.toThrow('broken');
  expect(begun).toEqual([0, 1, 2]);
  for (const end of ends) end.resolve();
  await Promise.all([work[0], work[2], work[3], work[4]]);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  // No turn was lost.
  const both = Promise.withResolvers<void>();
  let at = 0;
  const meet = () => {
    at += 1;
    if (at === 2) both.resolve();
    return both.promise;
  };
  await Promise.all([inTurn(meet), inTurn(meet)]);
});
