// npm run count: lines of product, tests, proofs, benches and SQL, in total and by room, the
// recordings of checks/spec, and the words of the documents without the specification.
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
  if (path.startsWith('checks/proofs/')) return 'proofs';
  if (path.startsWith('checks/bench/')) return 'bench';
  const isTest =
    /^checks\/|\.(test|spec)\.tsx?$|\/testing\/|^(playwright|vitest)\.config\.ts$/.test(path);
  return isTest ? 'tests' : 'product';
}

/** The room of a file of contract, server or web; the folder of any other. */
const roomOf = (path: string) =>
  /^(?:contract|server|web|checks|packages)\/(\w+)\//.exec(path)?.[1] ??
  (path.startsWith('scripts/') ? 'scripts' : 'root');

const counts = new Map<string, Record<Kind, number>>();
const total: Record<Kind, number> = { product: 0, tests: 0, proofs: 0, bench: 0, sql: 0 };
for (const path of files) {
  if (!/\.(ts|tsx|mjs|mts|sql)$/.test(path) || path === 'server/platform/db/schema.ts') continue;
  const room = roomOf(path);
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

const recordings = files.filter((path) => /^checks\/spec\/.*\.json$/.test(path));
console.log(`\nrecordings: ${recordings.reduce((sum, path) => sum + linesOf(path), 0)} lines`);
const isSpecification = /^docs\/(spec|reading|specification)\.md$/;
const documents = files.filter((path) => path.endsWith('.md') && !isSpecification.test(path));
const wordsOf = (path: string) => textOf(path).split(/\s+/).filter(Boolean).length;
console.log(`words of documents: ${documents.reduce((sum, path) => sum + wordsOf(path), 0)}`);
