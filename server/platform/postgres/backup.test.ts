import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, expect, it } from 'vitest';
import { backup, restore } from './backup.ts';
import { startEmbedded } from './embedded.ts';

const folder = await mkdtemp(join(tmpdir(), 'rally-backup-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const dataDir = join(folder, 'data');
const copy = join(folder, 'copy');

async function open() {
  const embedded = await startEmbedded({ dataDir });
  const client = new Client({ connectionString: embedded.url });
  await client.connect();
  const close = async () => {
    await client.end();
    await embedded.stop();
  };
  return { client, close };
}
const numbers = async (client: Client) =>
  (await client.query<{ n: number }>('select n from sale order by n')).rows.map((row) => row.n);

it('is taken during sales, and restores every sale before it', async () => {
  const { client, close } = await open();
  await client.query('create table sale (n int primary key, filler text)');
  let sold = 0;
  const closing = new AbortController();
  const sell = async () => {
    while (!closing.signal.aborted) {
      await client.query('insert into sale values ($1, repeat($2, 2000))', [sold + 1, 'x']);
      sold++;
    }
  };
  const seller = sell();
  await expect.poll(() => sold).toBeGreaterThan(50);
  const before = sold;
  await backup({ dataDir, to: copy });
  await expect.poll(() => sold).toBeGreaterThan(before + 50);
  closing.abort();
  await seller;
  await expect(restore({ dataDir, from: copy })).rejects.toThrow('is running');
  await close();

  const kept = await restore({ dataDir, from: copy });
  const again = await open();
  const found = await numbers(again.client);
  expect(found.length).toBeGreaterThanOrEqual(before);
  expect(found.length).toBeLessThan(sold);
  expect(found).toEqual(found.map((_, place) => place + 1)); // no gap: the copy is of one moment, not a mixture
  await again.client.query(`insert into sale values (1000000, '')`); // and sales go on
  await again.close();
  expect(await readdir(dataDir)).toContain(String(kept).split('/').at(-1));
});

it('never overwrites a backup, and restores only a backup', async () => {
  await expect(backup({ dataDir, to: copy })).rejects.toThrow('never overwrites');
  await expect(restore({ dataDir, from: folder })).rejects.toThrow('no backup');
});
