// What the documents name is there: every path and identifier in backticks, every relative link.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path && existsSync(join(root, path)));
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
const documents = files.filter((path) => path.endsWith('.md'));
const code = files
  .filter((path) => /\.(tsx?|m[jt]s|css|sql|json|example|yml)$|^\.ci\//.test(path))
  .filter((path) => !/^checks\/(spec\/.*json|rules\/docs\.test\.ts)$|package-lock/.test(path));
const words = new Set(code.flatMap((path) => textOf(path).match(/[\w$]+/g) ?? []));

/** Addresses, examples, commits, and words of nginx. */
const outside = /^\/|^x\.|\/x$|\bNNNN_|^[\da-f]{7}$|^limit_conn$|^proxy_read_timeout$/;
const isFile = /\w\.(tsx?|m[jt]s|css|sql|md|json)$/;
const folders = new Set(files.map((path) => path.split('/')[0]));

/** Somewhere in the tree, as a whole or as the last part; also a folder, and of `{a,b}` and `*` one. */
function exists(path: string): boolean {
  const pattern = path
    .replace(/\/$/, '')
    .replaceAll('.', '\\.')
    .replaceAll('*', '[^/]*')
    .replace(/\{([^}]+)\}/, (_, either: string) => `(${either.replaceAll(',', '|')})`);
  const found = new RegExp(`(^|/)${pattern}(/|$)`);
  return files.some((one) => found.test(one));
}

/** What a document names and nobody finds. */
function lost(path: string, text: string): string[] {
  const fences = /^ *```[\s\S]*?^ *```/gm;
  const example = text.match(fences)?.join('\n') ?? '';
  const prose = text.replace(fences, '');
  const links = [...prose.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link));
  const named = [...prose.matchAll(/`([^`\n]+)`/g)]
    .map(([, name = '']) => name)
    .filter((name) => !outside.test(name));
  const isLost = (name: string) => {
    if (isFile.test(name) || (name.includes('/') && folders.has(name.split('/')[0])))
      return /^[\w.@{},*/-]+$/.test(name) && !exists(name);
    const parts = /^\w+(\.\w+)*(\(\))?$/.test(name) ? (name.match(/\w+/g) ?? []) : [];
    return parts.some((part) => !words.has(part) && !example.includes(part));
  };
  return [
    ...links.filter((link) => !existsSync(join(root, dirname(path), link))),
    ...named.filter(isLost),
  ].map((name) => `${path}: ${name}`);
}

it('every path, identifier and link of the documents is there', () => {
  expect(documents.length).toBeGreaterThan(20);
  expect(documents.flatMap((path) => lost(path, textOf(path)))).toEqual([]);
});

it('paths, identifiers and links that are not there are found', () => {
  const planted = '`server/figures.ts`, `tellOfGoogle`, [gone](gone.md), `server/app/app.ts`';
  expect(lost('docs/x.md', planted)).toEqual([
    'docs/x.md: gone.md',
    'docs/x.md: server/figures.ts',
    'docs/x.md: tellOfGoogle',
  ]);
});
