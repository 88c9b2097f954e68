// The last number shown of a class is the true one, whatever was lost on the way: LISTEN was cut,
// the database was restarted, the process was killed.
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { prepareJobs } from '../db/jobs.ts';
import { migrate } from '../db/migrate.ts';
import { appOn } from '../../testing/app.ts';
import { openStream, type Stream } from '../../testing/events.ts';
import {
  aHome,
  aPostgres,
  inTheEnd,
  openClasses,
  people,
  query,
  soon,
  spawnRally,
} from '../../testing/processes.ts';

const postgres = await aPostgres();
await Promise.all([migrate(postgres.url), prepareJobs(postgres.url)]);
const [coach] = await people(postgres.url, 'instructor', 1);
if (!coach) throw new Error('no instructor');
const classes = await openClasses(postgres.url, coach, 20, 1_000);

const inTheDatabase = async () =>
  new Map(
    (await query<{ id: string; free: number }>(postgres.url, 'select id, free from class')).map(
      ({ id, free }) => [id, free] as const,
    ),
  );
const sellOne = () =>
  query(postgres.url, 'update class set sold = sold + 1 where id = any ($1)', [
    classes.filter(() => Math.random() < 0.5),
  ]);

interface Readers {
  /** Resolves when every page is there and has its stream. */
  start: () => Promise<void>;
  /** Whether every page shows what the database has. */
  right: () => Promise<boolean>;
  close: () => void;
}
const all: Readers[] = [];
afterAll(() => all.forEach((group) => group.close()));

/** As many browsers, each with the page and its stream. `deaf` ones do not hear "again". */
function readers(count: number, origins: () => string[], { deaf = false } = {}): Readers {
  const life = { closed: false };
  const streams = new Set<Stream>();
  const shown = Array.from({ length: count }, () => new Map<string, number>());
  const said = Array.from({ length: count }, () => new Set<string>());

  async function read(n: number) {
    const [origin = ''] = origins();
    const answer = await fetch(`${origin}/api/classes?status=approved&limit=100`);
    const { result } = (await answer.json()) as { result: { _id: string; seat: number }[] };
    for (const { _id, seat } of result) if (!said[n]?.has(_id)) shown[n]?.set(_id, seat);
  }

  const persist = async (what: () => Promise<unknown>) => {
    while (!life.closed) {
      try {
        return await what();
      } catch {
        await sleep(100);
      }
    }
    return undefined;
  };

  async function live(n: number) {
    while (!life.closed) {
      said[n]?.clear();
      const stream = await openStream(origins()[0] ?? '', ({ event, data }) => {
        if (event === 'seats')
          for (const [id, [free]] of Object.entries(data as Record<string, [number, number]>)) {
            said[n]?.add(id);
            shown[n]?.set(id, free);
          }
        else if (!deaf) {
          said[n]?.clear();
          setTimeout(() => void persist(() => read(n)), Math.random() * 500);
        }
      }).catch(() => null);
      if (stream) {
        // The server may have kept its list from a quarter of a second ago.
        await sleep(500);
        await persist(() => read(n));
        streams.add(stream);
        while (!stream.ended() && !life.closed) await sleep(20);
        streams.delete(stream);
        stream.close();
      }
      await sleep(200 + Math.random() * 300);
    }
  }

  const group: Readers = {
    right: async () => {
      const truth = await inTheDatabase();
      return shown.every((page) => classes.every((id) => page.get(id) === truth.get(id)));
    },
    start: async () => {
      for (let n = 0; n < count; n++) void live(n);
      expect(await soon(() => Promise.resolve(streams.size === count))).toBe(true);
    },
    close: () => {
      life.closed = true;
      streams.forEach((stream) => stream.close());
    },
  };
  all.push(group);
  return group;
}

const right = (group: Readers) => soon(group.right, 10_000, 100);

describe('every open page shows the true seats within 10 seconds', async () => {
  const app = await appOn(postgres.url);
  afterAll(() => app.close());
  await app.server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.server.address() as AddressInfo;
  const here = () => [`http://127.0.0.1:${port}`];

  it('after LISTEN was cut; without "again" it would not', async () => {
    const [pages, deaf] = [readers(10, here), readers(10, here, { deaf: true })];
    await pages.start();
    await deaf.start();
    await sellOne();
    expect(await right(pages)).toBe(true);
    expect(await right(deaf)).toBe(true);
    // LISTEN is tried again after half a second. It cannot connect until the sale is over.
    await query(
      postgres.url,
      `alter role current_user nologin; commit;
       select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'rally-changes';
       update class set sold = sold + 1; commit;
       alter role current_user login`,
    );
    expect(await right(pages)).toBe(true);
    expect(await deaf.right()).toBe(false);
    deaf.close();
  }, 600_000);

  it('after the database crashed and came back', async () => {
    const pages = readers(10, here);
    await pages.start();
    for (let sale = 0; sale < 5; sale++) await sellOne();
    await postgres.crash();
    await postgres.start();
    for (let sale = 0; sale < 5; sale++) await sellOne();
    expect(await right(pages)).toBe(true);
  }, 600_000);
});

const start = () => {
  const rally = spawnRally({ DATABASE_URL: postgres.url, DATA_DIR: aHome('live') });
  inTheEnd(() => rally.end('SIGKILL'));
  return rally;
};

it('after the process was killed, also with a fresh other one', async () => {
  const [first, second] = [start(), start()];
  let origins: string[] = await Promise.all([first.opened, second.opened]);
  const pages = readers(10, () => origins);
  await pages.start();
  await sellOne();
  expect(await right(pages)).toBe(true);
  const killed = first.end('SIGKILL');
  origins = origins.slice(1);
  await sellOne();
  await killed;
  expect(await right(pages)).toBe(true);
}, 600_000);
