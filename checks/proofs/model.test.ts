// Random orders of everything that can happen to a seat and its money. `npm test` does 6 runs,
// `npm run proofs -- model` as many as you like. MODEL_PATH replays a part of a seed.
import * as fc from 'fast-check';
import { afterAll, expect, inject, it } from 'vitest';
import { createSandbox } from '../../packages/sandbox/sandbox.ts';
import { readConfig } from '../../server/platform/config.ts';
import { connect } from '../../server/platform/db/connection.ts';
import { createJobs } from '../../server/platform/db/jobs.ts';
import { createCards } from '../../server/platform/cards.ts';
import { testKeys } from '../../server/testing/app.ts';
import { cardProvider } from '../../server/testing/checkout.ts';
import { isLong, lengthOf, seed } from '../../server/testing/length.ts';
import { createDatabase, dropDatabase } from '../../server/testing/postgres.ts';
import { aWorld, endsWell } from './model.ts';
import { type Step, steps } from './modelsteps.ts';

const runs = lengthOf(6);
const commands = isLong ? 120 : 60;

// Only the model acts: no app runs, no webhooks arrive and no periodic jobs start on their own.
// Each run has its own provider, whose clock advances with the run.
const name = `rally_t_${process.ppid}_model_${process.pid}`;
const url = await createDatabase(inject('postgres'), name, inject('template'));
// Durability after a power cut is tested elsewhere; here only the order of steps matters, and speed
// allows more runs.
const setting = connect(url);
await setting.pool.query(`alter database ${name} set synchronous_commit = off`);
await setting.close();
const database = connect(url);
const jobs = await createJobs({ url, timers: false });
const config = readConfig({
  NODE_ENV: 'test',
  AUTH_SECRET: 'a-test-secret-of-forty-three-letters-or-more',
  CARE_KEYS: '1:dGhpcyBpcyBhIHRlc3Qga2V5IG9mIDMyIGJ5dGVzLi4=',
  RATE_LIMIT: 'off',
});
let sandbox = await createSandbox();
const cards = createCards({ keys: testKeys, sandboxOrigin: () => sandbox.url });
afterAll(async () => {
  await sandbox.close();
  await jobs.close();
  await database.close();
  await dropDatabase(inject('postgres'), name);
});

/** Without payments the model would say nothing. */
let paid = 0;

async function live(life: Iterable<Step>): Promise<void> {
  await sandbox.close();
  sandbox = await createSandbox({
    secretKey: testKeys.secretKey,
    publishableKey: testKeys.publishableKey,
  });
  const provider = cardProvider(sandbox.url);
  const world = await aWorld({ database, cards, provider, jobs, config });
  await fc.asyncModelRun(() => ({ model: {}, real: world }), life);
  await endsWell(world);
  const ids = world.students.map(({ id }) => id);
  paid += (await world.query('select from payment where student_id = any ($1::uuid[])', [ids]))
    .length;
}

it(
  `${runs} runs of ${commands} steps: seats and money add up`,
  async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(steps(commands), async (life) => {
        await live(life);
        taken += 1;
        if (taken % 1_000 === 0) console.log(`${taken} lives`);
      }),
      {
        numRuns: runs,
        seed,
        endOnFailure: true,
        ...(process.env['MODEL_PATH'] ? { path: process.env['MODEL_PATH'] } : {}),
      },
    );
    expect(taken).toBe(runs);
    expect(paid).toBeGreaterThan(0);
  },
  24 * 3_600_000,
);
