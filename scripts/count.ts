// npm run count: lines of product, tests, proofs, benches and SQL, in total and by room, the
// recordings of test/spec, and the words of the documents without the specification.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Kind = 'product' | 'tests' | 'proofs' | 'bench' | 'sql';
const kinds: Kind[] = ['product', 'tests', 'proofs', 'bench', 'sql'];

const root = join(import.meta.dirname, '..');
const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter(Boolean);
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
const linesOf = (path: string) => textOf(path).split('\n').length - 1;

function kindOf(path: string): Kind {
  if (path.endsWith('.sql')) return 'sql';
  if (path.startsWith('proofs/')) return 'proofs';
  if (path.startsWith('bench/')) return 'bench';
  const isTest =
    /^(e2e|test)\/|\.(test|spec)\.tsx?$|\/testing\/|^(playwright|vitest)\.config\.ts$/.test(path);
  return isTest ? 'tests' : 'product';
}

/** Patterns of paths. The first room that has one counts; the rest is the platform. */
const rooms = Object.entries({
  proofs: '^proofs/',
  bench: '^bench/',
  sandbox: '^sandbox/',
  scripts: '^scripts/ ^[a-z.]+config.ts$',
  signin: `identity/(?!leaving|export|account\\.) contract/(signin|identity|join|steps)\\.
    ^(server|web)/signin/ web/session/ dashboard/(Account|Emails|Contact)
    e2e/(identity|google|account)
    server/(secrets|admin)`,
  people: `features/(people|family)/ identity/(leaving|export|account) features/audit Audit
    contract/(users|family|care|account|staff|ages) dashboard/(family|users) ManageUsers
    pages/Invitation office/(userpage|forget|staff) e2e/(family|staff)`,
  rollcall: 'rollcall contract/marks web/sw.ts e2e/(offline|shift) AttendanceList',
  checkout: `features/checkout server/(books|ledgerrules) dashboard/(payment|discounts) MyCart
    contract/(cart|checkout|payments|discounts|pricing|lines|refund|clash) Receipt Payments MyEnr
    Payment(Details|History) outside/(cards|sandbox)
    e2e/(basket|checkout|refunds|holds|lines|till|student)`,
  mail: `features/mails outside/mail office/(mailbox|notices|reminders|announcements)
    mailprefs db/jobs (contract|features)/announcements WriteToAll WriteDialog`,
  classes: `features/(classes|calendar) web/pages/(class/|Cl|Cal|Fil|UpdateC|NoC|Instr|BeforeB)
    contract/(classes|closed|calendar|meet|plans|places|finding|slots|feeds|instr|days|sport)
    dashboard/(calendar|places|AddAClass|ManageCl|MyCl|ClassR|EnrolledD|ChangeWho|HandOver)
    e2e/(classes|calendar|dates|finding|selecting|instructor)`,
  academy: `features/office contract/(academy|office|figures|site|pages|curr|contrast|pictures)
    dashboard/(academy|adminhome|Attention|UserHome) web/pages/(Home|Sponsors|Written)
    outside/picture db/academy e2e/(admin|firststeps|pictures|home) http/media`,
  demo: 'db/demo',
}).map(([room, paths]) => ({ room, paths: new RegExp(paths.trim().split(/\s+/).join('|')) }));

const counts = new Map<string, Record<Kind, number>>();
const total: Record<Kind, number> = { product: 0, tests: 0, proofs: 0, bench: 0, sql: 0 };
for (const path of files) {
  if (!/\.(ts|tsx|mjs|mts|sql)$/.test(path) || path === 'server/db/schema.ts') continue;
  const room = rooms.find(({ paths }) => paths.test(path))?.room ?? 'platform';
  const count = counts.get(room) ?? { product: 0, tests: 0, proofs: 0, bench: 0, sql: 0 };
  const [kind, lines] = [kindOf(path), linesOf(path)];
  count[kind] += lines;
  total[kind] += lines;
  counts.set(room, count);
}

const row = (name: string, cells: readonly (string | number)[]) =>
  console.log(name.padEnd(10), ...cells.map((cell) => String(cell).padStart(8)));
row('', kinds);
for (const [room, count] of [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1)))
  row(
    room,
    kinds.map((kind) => count[kind]),
  );
row(
  'total',
  kinds.map((kind) => total[kind]),
);

const recordings = files.filter((path) => /^test\/spec\/.*\.json$/.test(path));
console.log(`\nrecordings: ${recordings.reduce((sum, path) => sum + linesOf(path), 0)} lines`);
const isSpecification = /^docs\/(spec|reading|specification)\.md$/;
const documents = files.filter((path) => path.endsWith('.md') && !isSpecification.test(path));
const wordsOf = (path: string) => textOf(path).split(/\s+/).filter(Boolean).length;
console.log(`words of documents: ${documents.reduce((sum, path) => sum + wordsOf(path), 0)}`);
