// The rules of the house as functions over files: who may import whom, where the environment is read, how long a file may be.
// architecture.test.ts runs them on the tree, and each on a planted violation that it must catch.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export interface SourceFile {
  path: string;
  text: string;
}
export type Rule = (files: SourceFile[]) => string[];

const root = join(import.meta.dirname, '..');

export function sourceFiles(): SourceFile[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx', '*.mjs', '*.css'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  return [...new Set(listed.split('\n'))]
    .filter((path) => path && !path.endsWith('.d.ts'))
    .map((path) => ({ path, text: readSafely(join(root, path)) }));
}

function readSafely(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // removed in the working tree, not yet committed
  }
}

/** What a file imports: packages by name, files of ours by path from the root. */
export function importsOf({ path, text }: SourceFile): string[] {
  const found = text.matchAll(/(?:^|[^\w.])(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/gm);
  return [...found]
    .map((match) => match[1] ?? '')
    .map((name) => (name.startsWith('.') ? normalize(join(dirname(path), name)) : name));
}

const isTest = (path: string) => /\.test\.tsx?$|\/testing\/|^test\//.test(path);
const inFolder = (path: string, folders: string[]) =>
  folders.some((folder) => path === folder || path.startsWith(folder));

/** Left to right: a feature may import those before it, never one after it. */
export const featureOrder = [
  'audit',
  'users',
  'passwords',
  'confirmation',
  'tokens',
  'guesses',
  'google',
  'mailbox',
  'forms',
  'letters',
  'auth',
  'secondfactor',
  'mailedlinks',
  'identity',
  'reviewed',
  'catalogue',
  'classes',
  'handover',
  'instructors',
  'seats',
  'claims',
  'holds',
  'cart',
  'refunds',
  'settle',
  'release',
  'intents',
  'payments',
  'payback',
  'attention',
  'catchup',
  'webhooks',
  'reconcile',
  'checkout',
  'account',
  'figures',
];

const plumbing = ['contract/', 'server/config.ts', 'server/embedded/', 'server/db/', 'server/outside/', 'server/http/'];
const webParts = ['contract/', 'web/ui/', 'web/paths.ts'];

/** For each place, what of ours it may import. The first that fits a file counts. */
const zones: [place: string, allowed: string[]][] = [
  ['contract/', ['contract/']],
  ['server/embedded/', plumbing],
  ['server/db/', plumbing],
  ['server/outside/', plumbing],
  ['server/http/', plumbing],
  ['server/features/', [...plumbing, 'server/features/']],
  ['server/', ['contract/', 'server/']],
  ['sandbox/', ['sandbox/']],
  ['web/ui/', ['web/ui/']],
  ['web/paths.ts', []],
  ['web/api/', [...webParts, 'web/api/']],
  ['web/session/', [...webParts, 'web/api/', 'web/session/']],
  ['web/features/', [...webParts, 'web/api/', 'web/session/', 'web/features/']],
  ['web/pages/', [...webParts, 'web/api/', 'web/session/', 'web/features/', 'web/pages/']],
  ['web/', ['contract/', 'web/']],
];

export const directions: Rule = (files) =>
  files
    .filter(({ path }) => !isTest(path))
    .flatMap((file) => {
      const zone = zones.find(([place]) => file.path.startsWith(place));
      const ours = importsOf(file).filter((name) =>
        /^(contract|server|web|sandbox|e2e|bench|scripts|test|chaos)\//.test(name),
      );
      if (!zone) return [];
      return ours
        .filter((name) => !inFolder(name, zone[1]))
        .map(
          (name) =>
            `${file.path} imports ${name}: ${zone[0]} may import only ${zone[1].join(', ') || 'nothing of ours'}`,
        );
    });

const featureOf = (path: string) => /^server\/features\/([\w-]+)\.ts$/.exec(path)?.[1];

export const features: Rule = (files) =>
  files
    .filter(({ path }) => !isTest(path))
    .flatMap((file) => {
      const feature = featureOf(file.path);
      if (!feature) return [];
      const place = featureOrder.indexOf(feature);
      if (place < 0) return [`${file.path} has no place in featureOrder (test/house.ts)`];
      return importsOf(file)
        .map(featureOf)
        .filter((name) => name !== undefined && featureOrder.indexOf(name) >= place)
        .map((name) => `${file.path} imports ${name}, which stands to its right: ${featureOrder.join(' → ')}`);
    });

export const webFeaturesStandAlone: Rule = (files) =>
  files
    .filter(({ path }) => path.startsWith('web/features/') && !isTest(path))
    .flatMap((file) =>
      importsOf(file)
        .filter((name) => name.startsWith('web/features/') && dirname(name) !== dirname(file.path))
        .map((name) => `${file.path} imports ${name}: parts used by several pages never import one another`),
    );

export const contractNeedsOnlyZod: Rule = (files) =>
  files
    .filter(({ path }) => path.startsWith('contract/') && !isTest(path))
    .flatMap((file) =>
      importsOf(file)
        .filter((name) => !name.startsWith('contract/') && !/^zod(\/mini)?$/.test(name))
        .map((name) => `${file.path} imports ${name}: the contract imports zod and nothing else`),
    );

/** Each of these is known to one place only. */
const keepers: [what: string, pattern: RegExp, keeper: RegExp][] = [
  ['the environment', /process\.env/, /^server\/config\.ts$/],
  ['Fastify', /from 'fastify'|from '@fastify\//, /^server\/(http\/|features\/|main\.ts|app\.ts)/],
  ['the Stripe SDK', /from 'stripe'/, /^server\/outside\/cards\.ts$/],
  ['nodemailer', /from 'nodemailer'/, /^server\/outside\/mail\.ts$/],
];

export const keepersOnly: Rule = (files) =>
  files
    .filter(({ path }) => path.startsWith('server/') && !isTest(path))
    .flatMap(({ path, text }) =>
      keepers
        .filter(([, pattern, keeper]) => pattern.test(text) && !keeper.test(path))
        .map(([what, , keeper]) => `${path} knows ${what}, which only ${keeper.source} may`),
    );

export const shortFiles: Rule = (files) =>
  files
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ lines }) => lines > 400)
    .map(({ path, lines }) => `${path} has ${lines} lines: split it by topic (400 at most)`);

export const namedExports: Rule = (files) =>
  files
    .filter(
      ({ path, text }) =>
        /^(contract|server|web|sandbox)\//.test(path) && !isTest(path) && /^export default /m.test(text),
    )
    .map(({ path }) => `${path} has a default export: named exports only`);

const withoutComments = (text: string) => text.replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');

export const nothingPutOff: Rule = (files) =>
  files
    .filter(({ path }) => !path.startsWith('test/'))
    .filter(({ text }) =>
      /\b(it|test|describe)\.(skip|only|todo|fixme)\b|@ts-ignore|@ts-nocheck|\bas any\b|: any\b/.test(
        withoutComments(text),
      ),
    )
    .map(({ path }) => `${path} skips, silences or puts off something`);
