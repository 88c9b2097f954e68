// What an operator sees when the start fails.
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inTheEnd, spawnRally } from '../testing/processes.ts';

it('a port in use is one sentence, and nothing is written', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const folder = mkdtempSync(join(tmpdir(), 'rally-main-'));
  inTheEnd(() => rmSync(folder, { recursive: true }));
  const { port } = other.address() as { port: number };
  const { child, said } = spawnRally({
    PORT: String(port),
    DATA_DIR: folder,
    AUTH_SECRET: '',
    CARE_KEYS: '',
  });
  await once(child, 'close');
  expect(said()).toBe(`Port ${port} is in use. Set PORT.\n`);
  expect(readdirSync(folder)).toEqual([]);
  other.close();
});
