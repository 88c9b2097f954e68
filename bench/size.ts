// The size of a first visit: the compressed JavaScript and CSS that each page needs before it is
// complete, against its budget. Run `npm run build` first.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { type Result, root } from './harness.ts';

const client = join(root, 'dist/client');
const kilobyte = 1024;
const css = 20;
/** Kilobytes of JavaScript. Pages with a form include its rules, the payment page the card form. */
const budgets = { page: 110, form: 120, till: 125 };
const budgetOf: Record<string, number> = {
  AddAClass: budgets.form,
  UpdateClass: budgets.form,
  Account: budgets.form,
  ManageClasses: budgets.form,
  ClassReview: budgets.form,
  Payment: budgets.till,
  // What they had when they were new, and 2.
  Calendar: 106,
  'dashboard/calendar/Calendar': 111,
  'dashboard/places/Places': 121,
  'dashboard/rollcall/RollCall': 114,
  'dashboard/rollcall/ClassRollCall': 118,
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
  const pages = Object.keys(manifest).filter((source) => /^web\/pages\/.*\.tsx$/.test(source));
  const results: Result[] = [];
  for (const page of pages) {
    const path = page.slice('web/pages/'.length, -'.tsx'.length);
    const name = path.slice(path.lastIndexOf('/') + 1);
    const layout = page.includes('/dashboard/') ? ['web/app/DashboardLayout.tsx'] : [];
    const weight = await weigh(manifest, ['web/main.tsx', ...layout, page]);
    const budget = budgetOf[path] ?? budgetOf[name] ?? budgets.page;
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
