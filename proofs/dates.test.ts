// kill -9 before every statement of a change of the dates of a booked class (docs/invariants.md,
// T4): the dates are changed and every family is mailed, or neither.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { MeetingInput } from '../contract/meetings.ts';
import { meetingsOf } from '../server/features/classes/dates.ts';
import { testApp } from '../server/testing/app.ts';
import type { Change } from '../server/testing/datesprocess.ts';
import { aBookedClass, mailsAbout } from '../server/testing/meetings.ts';

const app = await testApp();
const program = join(import.meta.dirname, '../server/testing/datesprocess.ts');

/** Whether the process was killed, how many families were mailed, and when the classes meet. */
async function killedAt(step: number) {
  const { id, name, instructor } = await aBookedClass(app);
  const { dates } = await app.db
    .selectFrom('class')
    .select('dates')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const before = await meetingsOf(app.db, id);
  const [one, other] = before.map(({ _id, day, starts, minutes, placeId = '' }): MeetingInput => ({
    _id,
    day,
    starts,
    minutes,
    placeId,
  })) as [MeetingInput, MeetingInput];
  const change: Change = {
    url: app.url,
    step,
    who: instructor,
    input: {
      id,
      version: dates,
      meetings: [
        { ...one, starts: '18:00' },
        { ...other, cancelled: true },
      ],
      tell: 'The court is being repaired.',
    },
  };
  const child = spawn(process.execPath, [program, JSON.stringify(change)], { stdio: 'inherit' });
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  const after = await meetingsOf(app.db, id);
  const said = after.map(({ starts, state }) => `${starts} ${state}`);
  return { ended: signal ?? code, mails: (await mailsAbout(app, name)).length, said };
}

it('kill -9 before any statement leaves the dates as they were and mails none, or changes them and mails all', async () => {
  const whole = ['18:00 on', '16:00 cancelled'];
  const old = ['16:00 on', '16:00 on'];
  let step = 0;
  let ended: string | number | null;
  do {
    const result = await killedAt(++step);
    ({ ended } = result);
    const isDone = ended === 0;
    expect([step, result]).toEqual([
      step,
      { ended: isDone ? 0 : 'SIGKILL', mails: isDone ? 2 : 0, said: isDone ? whole : old },
    ]);
  } while (ended !== 0);
  expect(step).toBeGreaterThan(8);
}, 600_000);
