// Any order of everything that can happen to a seat and its money. MODEL_RUNS, MODEL_COMMANDS and MODEL_SEED make it a soak (scripts/soak.ts).
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkBooks } from '../server/books.ts';
import { aShop } from '../server/testing/checkout.ts';
import { aWorld, endsWell, steps } from './model.ts';

const number = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise);
const runs = number('MODEL_RUNS', 300);
const commands = number('MODEL_COMMANDS', 60);

// Nobody but the model does anything: no webhooks by themselves, no chores by the clock.
const shop = await aShop({}, { tells: false });
const ground = {
  database: shop.app,
  cards: shop.app.cards,
  provider: shop.provider,
  jobs: shop.app.jobs,
  config: shop.app.config,
};

it(
  `${runs} lives of up to ${commands} steps: every seat adds up at every step, and all money ends as an enrolment or a refund`,
  async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(steps(commands), async (life) => {
        const world = await aWorld(ground);
        await fc.asyncModelRun(() => ({ model: {}, real: world }), life);
        await endsWell(world);
        taken += 1;
        if (taken % 1_000 === 0) console.log(`${taken} lives`);
      }),
      { numRuns: runs, ...(process.env['MODEL_SEED'] ? { seed: number('MODEL_SEED', 0) } : {}), endOnFailure: false },
    );
    expect(taken).toBe(runs);
    const all = { ...shop.app.config, graceSeconds: -1e9, since: new Date(0) };
    expect(await checkBooks(shop.app.sql, shop.app.cards, all)).toEqual([]);
  },
  24 * 3_600_000,
);
