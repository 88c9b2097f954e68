// The server's memory: at rest, and under a steady load of visitors and students. `npm run
// soak:memory [-- minutes]`, 60 by default. Not part of `npm run bench`, because it takes an hour.
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { median, startDatabase, startRally, tokenOf } from './harness.ts';

const minutes = Number(process.argv[2] ?? 60);
const perSecond = 60;
const limitMb = 200;

const server = await startDatabase();
const database = await server.database('memory');
const env = { DATABASE_URL: database.url, DATA_DIR: server.dataDir };
// The first start writes the academy and compiles; the second is measured, like every later one.
await (await startRally(env)).stop();
const rally = await startRally(env);
let token = '';
const classes = await database.query(
  `select id from class where shelf = 'approved' and free >= 1 order by id`,
);
let turn = 0;

async function ask(path: string, method = 'GET', body?: object): Promise<string> {
  const answer = await fetch(rally.url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  // 409: another visit has the class in the cart at this moment.
  if (!answer.ok && answer.status !== 409)
    throw new Error(`${method} ${path} answered ${answer.status}`);
  return answer.text();
}

/**
 * Pages and lists, different each time, so that not everything comes from the cache; and a cart
 * that fills and empties.
 */
async function visit(): Promise<void> {
  const n = turn++;
  const classId = String(classes[n % classes.length]?.['id']);
  switch (n % 6) {
    case 0:
      return void (await ask('/'));
    case 1:
      return void (await ask(`/classes?search=word${n}`));
    case 2:
      return void (await ask(`/classes/${classId}`));
    case 3:
      return void (await ask(`/api/classes?status=approved&search=${n}`));
    case 4: {
      const added = JSON.parse(await ask('/api/bookeds', 'POST', { itemId: classId })) as {
        insertedId?: string;
      };
      return void (added.insertedId && (await ask(`/api/booked/${added.insertedId}`, 'DELETE')));
    }
    default:
      return void (await ask('/api/payments?email=student@rally.test'));
  }
}

const rss = async () =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${rally.pid}/status`, 'utf8'))?.[1]) / 1024;

try {
  await fetch(rally.url);
  await sleep(20_000);
  const atRest = await rss();
  console.log(
    `at rest: ${atRest.toFixed(0)} MB (${atRest < limitMb ? 'below' : 'NOT BELOW'} ${limitMb})`,
  );
  const everyMinute: number[] = [];
  let failed = 0;
  for (let minute = 1; minute <= minutes; minute++) {
    const samples: number[] = [];
    // A token is valid for fifteen minutes.
    if (minute % 5 === 1) token = await tokenOf(database, 'student@rally.test');
    for (let second = 0; second < 60; second++) {
      const next = sleep(1_000);
      await Promise.all(
        Array.from({ length: perSecond }, () => visit().catch(() => void failed++)),
      );
      await next;
      samples.push(await rss());
    }
    everyMinute.push(median(samples));
    console.log(
      `minute ${minute}: ${median(samples).toFixed(0)} MB, ${turn} visits, ${failed} failed`,
    );
  }
  // The first third is warm-up: code is compiled, caches fill.
  const third = Math.floor(minutes / 3);
  const [middle, end] = [
    median(everyMinute.slice(third, 2 * third)),
    median(everyMinute.slice(-third)),
  ];
  console.log(
    `last third / middle third: ${(end / middle).toFixed(2)} (${end.toFixed(0)} against ${middle.toFixed(0)} MB)`,
  );
  process.exitCode = atRest < limitMb && end / middle < 1.05 && failed === 0 ? 0 : 1;
} finally {
  await rally.stop();
  await server.stop();
}
