// The size of a first visit: the compressed JavaScript and CSS that each page needs before it is
// complete, against its budget. Run `npm run build` first.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { type Result, root } from './harness.ts';

const client = join(root, 'dist/client');
const kilobyte = 1024;
const css = 18.5;
/**
 * Kilobytes of JavaScript. React, its router and the query library are 78 of them. A page may have what
 * its neighbours need, too: on a slow line three files with 2 kB more arrive sooner than fifteen small
 * ones (vite.config.ts).
 */
const budgets = { home: 116, public: 118, form: 123, dashboard: 145 };
/** The pages without the frame of the dashboard, and of those the ones with a form to check. */
const publicPages =
  /^(academy\/(Home|Written)|classes\/(Calendar|Classes|Instructors|page\/OneClass)|signin\/Login)/;
const kindOf = (page: string) => {
  if (page === 'academy/Home') return 'home';
  if (publicPages.test(page)) return 'public';
  return /^signin\/(?!Account)/.test(page) ? 'form' : 'dashboard';
};

interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
}

type Manifest = Record<string, Chunk>;

/** One line per page of the site, so a new page has a budget from the start. */
export async function size(): Promise<Result[]> {
  const manifest = JSON.parse(
    await readFile(join(client, '.vite/manifest.json'), 'utf8'),
  ) as Manifest;
  // A dialog that is loaded when it is opened is no page.
  const router = await readFile(join(root, 'web/app/router.tsx'), 'utf8');
  const pages = Object.keys(manifest).filter((source) =>
    router.includes(`import('../${source.replace('web/', '')}')`),
  );
  const results: Result[] = [];
  for (const page of pages) {
    const path = page.replace(/^web\/|\.tsx$/g, '');
    const kind = kindOf(path);
    const layout = kind === 'dashboard' ? ['web/app/DashboardLayout.tsx'] : [];
    const weight = await weigh(manifest, ['web/app/main.tsx', ...layout, page]);
    const budget = budgets[kind];
    results.push({
      what: `first load of ${path} / its budget`,
      ratio: Math.max(weight.js / budget, weight.css / css),
      target: { atMost: 1 },
      detail: `JavaScript ${weight.js.toFixed(1)} of ${budget} kB, CSS ${weight.css.toFixed(1)} of ${css} kB`,
    });
  }
  return results;
}

async function weigh(manifest: Manifest, names: string[]) {
  const files = new Set<string>();
  const visit = (name: string) => {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`The manifest does not know ${name}.`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const style of chunk.css ?? []) files.add(style);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const name of names) visit(name);
  const sum = { js: 0, css: 0 };
  for (const file of files) {
    const bytes = brotliCompressSync(await readFile(join(client, file))).length / kilobyte;
    if (file.endsWith('.css')) sum.css += bytes;
    else sum.js += bytes;
  }
  return sum;
}
