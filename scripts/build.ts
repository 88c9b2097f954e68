// Builds the web app: for the browser (dist/client, with compressed copies), the service worker of
// the roll call (dist/client/sw.js), and for rendering on the server (dist/server).

import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { fingerprint } from './node.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

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
    // With its libraries inside: left outside, React would choose by the NODE_ENV it runs under.
    ssr: { noExternal: true },
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    build: { outDir: join(aside, 'server'), emptyOutDir: true, ssr: 'web/app/server.tsx' },
  });
  await buildWorker(join(aside, 'client'));
  await compress(join(aside, 'client'));
  writeFileSync(join(aside, '.rally-stamp'), print);
  putInPlace();
} finally {
  rmSync(aside, { recursive: true, force: true });
}

/** With the list of files that it keeps. A change of any of them is a new worker. */
async function buildWorker(folder: string): Promise<void> {
  const files = keptFiles(
    JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest,
  );
  const hash = createHash('sha256');
  for (const file of files) hash.update(file);
  const kept = { version: hash.digest('hex').slice(0, 12), files };
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    define: { kept: JSON.stringify(kept) },
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: 'es2022',
      rolldownOptions: {
        input: 'web/app/sw.ts',
        output: { format: 'iife', entryFileNames: 'sw.js' },
      },
    },
  });
}

type Manifest = Record<
  string,
  { file: string; imports?: string[]; dynamicImports?: string[]; assets?: string[] }
>;

function isRollCall(source: string): boolean {
  return source.startsWith('web/rollcall/page/');
}

/** What the roll call loads at once and later, without the other pages. */
function keptFiles(manifest: Manifest): string[] {
  const files = new Set<string>();
  const router = readFileSync(join(root, 'web/app/router.tsx'), 'utf8');
  const pages = new Set(
    [...router.matchAll(/import\('\.\.\/(.+?)'\)/g)].map(([, page]) => `web/${page}`),
  );
  const visit = (name: string) => {
    const chunk = manifest[name];
    if (!chunk || files.has(`/${chunk.file}`)) return;
    files.add(`/${chunk.file}`);
    for (const font of chunk.assets ?? []) if (/-latin-wght/.test(font)) files.add(`/${font}`);
    for (const imported of chunk.imports ?? []) visit(imported);
    for (const later of chunk.dynamicImports ?? [])
      if (!pages.has(later) || isRollCall(later)) visit(later);
  };
  for (const name of ['web/app/main.tsx', 'web/app/DashboardLayout.tsx']) visit(name);
  for (const name of Object.keys(manifest).filter(isRollCall)) visit(name);
  return [...files].toSorted();
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
