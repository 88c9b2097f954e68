// An older backup is restored after sales (docs/invariants.md, D9): the card provider knows what
// was paid since, and every payment becomes an enrolment or a refund again, without a human. `npm
// run proofs -- restore` sells two hundred seats.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import {
  aHome,
  booksOf,
  embeddedUrl,
  folder,
  lengthOf,
  type Person,
  query,
  environment,
  sandboxOf,
  soon,
  startRally,
  tellFigures,
} from '../../server/testing/processes.ts';
import { aCrowd, confirm } from './traffic.ts';

const sales = lengthOf(10);
/** So many more are sold than the class has seats in the backup: their money must be refunded. */
const beyond = Math.ceil(sales / 10);

const home = aHome('restore');
const copy = join(folder('restore-backup'), 'copy');
const url = () => embeddedUrl(home);

const command = (script: string) =>
  promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, '../../scripts', script), copy],
    {
      env: environment({ DATA_DIR: home }),
    },
  );

/** A whole purchase; one browser in three is closed before it reports the payment. */
async function buy(door: string, who: Person, itemId: string, tells: boolean): Promise<string> {
  const ask = async (path: string, body: object) => {
    for (;;) {
      const response = await fetch(`${door}/api${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await who.token()}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      });
      const answer = (await response.json()) as { clientSecret: string };
      if (response.ok) return answer;
      // A client that gets 503 tries again.
      expect([path, response.status, answer]).toEqual([path, 503, answer]);
      await sleep(1_000 * Number(response.headers.get('retry-after')));
    }
  };
  await ask('/bookeds', { itemId });
  const { clientSecret } = await ask('/create-payment-intent', { price: 19.99, itemId });
  const intent = await confirm(sandboxOf(home), clientSecret);
  if (tells) await ask('/payments', { transactionId: intent });
  return intent ?? '';
}

const found = (intents: string[]) =>
  query<{ intent: string; enrolled: boolean; refunded: boolean }>(
    url(),
    `select payment.intent_id as intent, payment.status = 'refunded' as refunded,
       exists (select from enrolment where enrolment.payment_id = payment.id and enrolment.state = 'active') as enrolled
     from payment where payment.intent_id = any($1)`,
    [intents],
  );

it(`${sales} seats sold since are all found again`, async () => {
  let rally = await startRally({ DATA_DIR: home });
  const { students, classes } = await aCrowd(url(), sales, 1, sales - beyond);
  const [klass = ''] = classes;
  await command('backup.ts');

  await query(url(), 'update class set capacity = $1 where id = $2', [sales, klass]);
  const intents: string[] = [];
  const buyers = students.entries();
  const hand = async () => {
    for (const [place, who] of buyers)
      intents.push(await buy(rally.origin, who, klass, place % 3 > 0));
  };
  await Promise.all([hand(), hand(), hand(), hand()]);
  expect(new Set(intents).size).toBe(sales);
  expect(await rally.end('SIGTERM')).toBe(0);

  await command('restore.ts');
  const began = Date.now();
  rally = await startRally({ DATA_DIR: home });
  const settled = async () =>
    (await found(intents)).filter(({ enrolled, refunded }) => enrolled !== refunded).length ===
    sales;
  expect(await soon(settled, 120_000, 100)).toBe(true);
  const seconds = (Date.now() - began) / 1_000;
  const rows = await found(intents);
  expect(rows.filter(({ enrolled }) => enrolled)).toHaveLength(sales - beyond);
  expect(rows.filter(({ refunded }) => refunded)).toHaveLength(beyond);
  const books = () => booksOf(url(), () => sandboxOf(home), 0);
  await soon(async () => (await books()).length === 0);
  expect(await books()).toEqual([]);
  // Control: a missing one would be found.
  await query(
    url(),
    'delete from enrolment where payment_id = (select id from payment where intent_id = $1)',
    [rows.find(({ enrolled }) => enrolled)?.intent],
  );
  expect((await books()).length).toBeGreaterThan(0);
  expect(await rally.end('SIGTERM')).toBe(0);
  tellFigures('restore', {
    sales,
    'enrolled again': sales - beyond,
    refunded: beyond,
    lost: 0,
    'seconds from the start until all are found': seconds.toFixed(1),
  });
}, 3_600_000);
