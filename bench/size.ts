// What a first visit costs: the compressed JavaScript and CSS that each page needs before it is complete. Fails over the budget.
// Not for: pictures and HTML, or how fast it is (bench/lighthouse.ts). Run `npm run build` first.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const client = join(import.meta.dirname, '../dist/client');
const kilobyte = 1024;
const budget = { js: 110, css: 20 };

interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
}

const manifest = JSON.parse(await readFile(join(client, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;

const pages: Record<string, string[]> = {
  '/': ['web/pages/Home.tsx'],
  '/classes': ['web/pages/Classes.tsx'],
  '/classes/{id}': ['web/pages/OneClass.tsx'],
  '/instructors': ['web/pages/Instructors.tsx'],
  '/login': ['web/pages/Login.tsx'],
  '/signup': ['web/pages/Signup.tsx'],
  '/dashboard/mycart': ['web/app/DashboardLayout.tsx', 'web/pages/dashboard/MyCart.tsx'],
  '/dashboard/adminhome': ['web/app/DashboardLayout.tsx', 'web/pages/dashboard/AdminHome.tsx'],
};

let over = false;
console.log(`First load, brotli, kB of ${kilobyte} bytes (budget: JS ${budget.js}, CSS ${budget.css})`);
for (const [page, sources] of Object.entries(pages)) {
  const { js, css } = await weigh(['web/main.tsx', ...sources]);
  const heavy = js > budget.js || css > budget.css;
  over ||= heavy;
  console.log(
    `${page.padEnd(24)} JS ${js.toFixed(1).padStart(6)}   CSS ${css.toFixed(1).padStart(5)}${heavy ? '   OVER BUDGET' : ''}`,
  );
}
process.exitCode = over ? 1 : 0;

async function weigh(names: string[]) {
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
