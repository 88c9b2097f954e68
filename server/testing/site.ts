// aSite(): the pages of a web app of one script, built in a folder of its own, for tests of how pages
// are served.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { answerError } from '../platform/http/fail.ts';
import { limitCallers } from '../platform/http/limits.ts';
import { type PagesOptions, registerPages } from '../app/pages.ts';
import { createProtection } from '../platform/http/protection.ts';
import { inTheEnd } from './tidy.ts';

/** `render` is the source of the function that the server build exports. */
export async function aSite({
  render,
  rateLimit = false,
  ...options
}: { render: string; rateLimit?: boolean } & Pick<PagesOptions, 'ask' | 'memory'>) {
  const folder = await mkdtemp(join(tmpdir(), 'rally-pages-'));
  for (const name of ['.vite', 'assets', 'media']) await mkdir(join(folder, name));
  const manifest = '{"web/app/main.tsx":{"file":"assets/main.js"}}';
  await writeFile(join(folder, '.vite/manifest.json'), manifest);
  await writeFile(join(folder, 'icon.svg'), '<svg/>');
  await writeFile(join(folder, 'sw.js'), 'self;');
  await writeFile(join(folder, 'server.js'), `export const render = ${render};`);
  const server = fastify();
  inTheEnd(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });
  server.setErrorHandler(answerError);
  server.decorateRequest('nonce', '');
  await limitCallers(server, { isOn: rateLimit });
  await registerPages(server, {
    clientDir: folder,
    serverDir: folder,
    dev: false,
    publicUrl: 'http://localhost:3000',
    protection: createProtection({ https: false, realStripe: false }),
    ...options,
  });
  return server;
}
