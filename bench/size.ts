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
 * Kilobytes of JavaScript: what each page had on 2026-11-18, rounded up. React, its router and the
 * query library are 75 of them. A page may have what its neighbours need, too: on a slow line three
 * files with 2 kB more arrive sooner than fifteen small ones (vite.config.ts).
 */
const budgets: Record<string, number> = {
  Calendar: 108,
  Classes: 106,
  ConfirmAddress: 115,
  ForgotPassword: 113,
  Home: 107,
  Instructors: 103,
  Invitation: 101,
  Join: 114,
  Login: 114,
  NewAddress: 113,
  ResetPassword: 114,
  Signup: 114,
  UpdateClass: 129,
  Written: 98,
  'class/OneClass': 106,
  'dashboard/Account': 125,
  'dashboard/AddAClass': 132,
  'dashboard/AttendanceList': 110,
  'dashboard/Attention': 110,
  'dashboard/Audit': 109,
  'dashboard/ClassReview': 114,
  'dashboard/ManageClasses': 112,
  'dashboard/ManageUsers': 110,
  'dashboard/MyCart': 112,
  'dashboard/MyClasses': 111,
  'dashboard/MyEnrolledClasses': 110,
  'dashboard/PaymentDetails': 108,
  'dashboard/PaymentHistory': 110,
  'dashboard/Payments': 110,
  'dashboard/Receipt': 107,
  'dashboard/UserHome': 108,
  'dashboard/academy/Academy': 131,
  'dashboard/adminhome/AdminHome': 112,
  'dashboard/calendar/Calendar': 112,
  'dashboard/discounts/Discounts': 126,
  'dashboard/family/Family': 106,
  'dashboard/family/FamilyMember': 127,
  'dashboard/family/plan/FamilyPlan': 110,
  'dashboard/payment/Pay': 119,
  'dashboard/places/Places': 110,
  'dashboard/rollcall/ClassRollCall': 118,
  'dashboard/rollcall/RollCall': 112,
  'dashboard/users/UserPage': 108,
};
/** Of a new page, until it has one of its own. */
const unknown = 110;

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
  const pages = Object.keys(manifest).filter(
    (source) => /^web\/(pages|signin)\//.test(source) && router.includes(`'${source}'`),
  );
  const results: Result[] = [];
  for (const page of pages) {
    const path = page.replace(/^web\/(pages|signin)\/|\.tsx$/g, '');
    const layout = page.includes('/dashboard/') ? ['web/app/DashboardLayout.tsx'] : [];
    const weight = await weigh(manifest, ['web/main.tsx', ...layout, page]);
    const budget = budgets[path] ?? unknown;
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
