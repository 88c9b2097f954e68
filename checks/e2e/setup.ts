// Starts one Rally for all browser tests, on a database of its own, and removes it afterwards.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from './server.ts';

const unlimited = async () => ({ RATE_LIMIT: 'off' });

export default async function setup(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rally-e2e-'));
  const server = await startServer({ dataDir, log: join(dataDir, 'server.log'), env: unlimited });
  process.env['RALLY_URL'] = server.url;
  process.env['RALLY_DATA'] = dataDir;
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
}
