// What the journeys leave for the look around at the end (afterwards.spec.ts), in the data folder of the academy under test.
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Response } from '@playwright/test';

export const files = { log: 'server.log', refusals: 'refusals.log' };

/** Keeps what a browser was refused, word for word; not what the card provider says to whoever has the key to a payment. */
export async function keepRefusal(response: Response): Promise<void> {
  if (response.status() < 400 || new URL(response.url()).pathname.startsWith('/sandbox/')) return;
  // A page that was left has nothing to read any more.
  const body = await response.text().catch(() => '');
  const line = `${response.status()} ${JSON.stringify(response.headers())} ${body}\n`;
  await appendFile(join(process.env['RALLY_DATA'] ?? '', files.refusals), line).catch(() => undefined);
}
