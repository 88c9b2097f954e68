// Builds the web app: for the browser (dist/client, with compressed copies) and for rendering on
// the server (dist/server).
// NOT for: how it is built (vite.config.ts), nor for whether it must be (stale.mjs).

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { fingerprint } from './stale.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

if (!existsSync(join(root, 'vite.config.ts'))) {
  console.log('There is no web app yet; nothing to build.');
  process.exit(0);
}
// Whatever the app will run as, what is built is the product.
process.env['NODE_ENV'] = 'production';
const { build } = await import('vite');

// Built in another folder and moved when complete, so a killed or a concurrent build does no harm.
const aside = join(root, '.cache', `build-${process.pid}`);
const print = fingerprint(root);
try {
  const common = { root, logLevel: 'error', mode: 'production' } as const;
  await build({
    ...common,
    build: { outDir: join(aside, 'client'), emptyOutDir: true, manifest: true },
  });
  await build({
    ...common,
    // With its libraries inside, in their production halves: left outside, React would choose by
    // the NODE_ENV it runs under.
    ssr: { noExternal: true },
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    build: { outDir: join(aside, 'server'), emptyOutDir: true, ssr: 'web/server.tsx' },
  });
  await compress(join(aside, 'client'));
  writeFileSync(join(aside, '.rally-stamp'), print);
  putInPlace();
} finally {
  rmSync(aside, { recursive: true, force: true });
}

async function compress(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const texts = files.filter((file) =>
    ['.js', '.css', '.html', '.svg', '.json', '.txt', '.xml', '.webmanifest'].includes(
      extname(file),
    ),
  );
  for (const file of texts) {
    const path = join(folder, file);
    const content = await readFile(path);
    if (content.length < 1024) continue;
    const size = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(content, { params: size }),
      promisify(gzip)(content, { level: 9 }),
    ]);
    await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
  }
}

function putInPlace(): void {
  const old = join(root, '.cache', `old-${process.pid}`);
  mkdirSync(join(root, '.cache'), { recursive: true });
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(aside, dist);
  rmSync(old, { recursive: true, force: true });
}
