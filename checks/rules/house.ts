// The architecture rules as functions over files: imports, where the environment is read, the
// length of files. architecture.test.ts runs them on the tree, and each on a planted violation that
// it must find.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export interface SourceFile {
  path: string;
  text: string;
}
export type Rule = (files: SourceFile[]) => string[];

const root = join(import.meta.dirname, '../..');

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

/** What a file imports: packages by name, our own files by path from the root. */
export function importsOf({ path, text }: SourceFile): string[] {
  const found = text.matchAll(/(?:^|[^\w.])(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/gm);
  return [...found]
    .map((match) => match[1] ?? '')
    .map((name) => (name.startsWith('.') ? normalize(join(dirname(path), name)) : name));
}

const isTest = (path: string) => /\.test\.tsx?$|\/testing\/|^checks\//.test(path);
/**
 * The rooms, in contract, server and web. A room imports itself and the rooms before it; what the
 * contract declares, server and web take wherever it is declared.
 */
export const rooms = [
  'platform',
  'mail',
  'people',
  'classes',
  'checkout',
  'rollcall',
  'academy',
  'signin',
  'demo',
  'app',
];

const sideOf = (path: string) => /^(contract|server|web)\//.exec(path)?.[1];
const roomOf = (path: string) => /^(?:contract|server|web)\/(\w+)/.exec(path)?.[1] ?? '';
const inRoom = (path: string) => /^server\/(?!platform|demo|app)/.test(path);

export const directions: Rule = (files) =>
  files
    .filter(({ path }) => !isTest(path))
    .flatMap((file) => {
      const side = sideOf(file.path);
      if (file.path.startsWith('packages/sandbox/'))
        return importsOf(file)
          .filter((name) => isOurs(name) && !name.startsWith('packages/sandbox/'))
          .map((name) => `${file.path} imports ${name}: the sandbox knows nothing of ours`);
      if (!side || file.path.startsWith('web/public/')) return [];
      const room = rooms.indexOf(roomOf(file.path));
      if (room < 0) return [`${file.path} is in no room (checks/rules/house.ts)`];
      return importsOf(file)
        .filter(isOurs)
        .filter((name) =>
          sideOf(name) === side ? rooms.indexOf(roomOf(name)) > room : sideOf(name) !== 'contract',
        )
        .map(
          (name) => `${file.path} imports ${name}: rooms import to the left, ${rooms.join(', ')}`,
        );
    });

const isOurs = (name: string) => /^(contract|server|web|packages|checks|scripts)\//.test(name);

/** Every import circle, type imports included, as the list of its files. */
export const noImportCircle: Rule = (files) => {
  const imports = new Map(files.map((file) => [file.path, importsOf(file)]));
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, way: string[]): void => {
    if (way.includes(path)) {
      circles.push([...way.slice(way.indexOf(path)), path].join(' → '));
      return;
    }
    if (done.has(path)) return;
    for (const name of imports.get(path) ?? []) visit(name, [...way, path]);
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  return circles;
};

export const contractNeedsOnlyZod: Rule = (files) =>
  files
    .filter(({ path }) => path.startsWith('contract/') && !isTest(path))
    .flatMap((file) =>
      importsOf(file)
        .filter((name) => !name.startsWith('contract/') && !/^zod(\/mini)?$/.test(name))
        .map((name) => `${file.path} imports ${name}: the contract imports zod and nothing else`),
    );

/** Each of these is used in one place only. */
const keepers: [what: string, pattern: RegExp, keeper: RegExp][] = [
  ['the environment', /process\.env/, /^server\/platform\/config\.ts$/],
  ['Fastify', /from 'fastify'|from '@fastify\//, /^server\/(platform\/http|app)\//],
  ['the Stripe SDK', /from 'stripe'/, /^server\/platform\/cards\.ts$/],
  [
    'deleting marks',
    /delete from mark\b|deleteFrom\('mark'\)/,
    /^server\/rollcall\/forgetmarks\.ts$/,
  ],
  ['nodemailer', /from 'nodemailer'/, /^server\/mail\/mail\.ts$/],
  ['sharp', /from 'sharp'/, /^server\/academy\/decodework\.ts$/],
  // The words of a state: one fragment of SQL each.
  [
    'live holds',
    /'held', 'releasing'|'held' \|\| .*'releasing'/,
    /^server\/platform\/db\/states\.ts$/,
  ],
  ['active enrolments', /(=|<>) 'active'/, /^server\/platform\/db\/states\.ts$/],
  ['classes on sale', /\bon_sale\(/, /^server\/platform\/db\/states\.ts$/],
  ['erased accounts', /deletedDomain|@deleted\.invalid/, /^server\/platform\/db\/states\.ts$/],
];

export const keepersOnly: Rule = (files) =>
  files
    .filter(({ path }) => path.startsWith('server/') && !isTest(path))
    .flatMap(({ path, text }) =>
      keepers
        .filter(([, pattern, keeper]) => pattern.test(text) && !keeper.test(path))
        .map(([what, , keeper]) => `${path} knows ${what}, which only ${keeper.source} may`),
    );

/** Outside the server only tests, proofs, benches and scripts speak to the database. */
export const sqlInServer: Rule = (files) =>
  files
    .filter(({ path }) => !/^(server|checks|scripts)\//.test(path))
    .filter(({ text }) => /\bsql(<[^`]*>)?`|from '(kysely|pg)'/.test(withoutComments(text)))
    .map(({ path }) => `${path} knows SQL, which only the server may`);

/** `write`, `writeAccounts` and `system` of the frame (server/platform/db/write.ts) open every transaction. */
export const transactionsInTheFrame: Rule = (files) =>
  files
    .filter(({ path }) => path.startsWith('server/') && !isTest(path))
    .filter(({ path }) => !/^server\/platform\/db\/(connection|write)\.ts$/.test(path))
    .filter(({ text }) => /\btransaction\(/.test(withoutComments(text)))
    .map(
      ({ path }) => `${path} opens a transaction outside the frame (server/platform/db/write.ts)`,
    );

/** The rooms that write a table. Every room may read every table. */
const owners: Record<string, string[]> = {
  audit: ['people'],
  // The address and its proof are in the row of the user.
  user: ['people', 'signin'],
  participant: ['people'],
  guardian: ['people'],
  invitation: ['people'],
  // Accepted with the account that it makes.
  staff_invitation: ['people', 'signin'],
  care: ['people'],
  class: ['classes'],
  meeting: ['classes'],
  place: ['classes'],
  closure: ['classes'],
  feed: ['classes'],
  cart_item: ['checkout'],
  hold: ['checkout'],
  payment: ['checkout'],
  enrolment: ['checkout'],
  refund: ['checkout'],
  quarantine: ['checkout'],
  basket: ['checkout'],
  payment_line: ['checkout'],
  ledger: ['checkout'],
  credit: ['checkout'],
  wait: ['checkout'],
  wish: ['checkout'],
  waiter: ['checkout'],
  resale: ['checkout'],
  leaving: ['academy'],
  discount: ['checkout'],
  discount_step: ['checkout'],
  coupon_use: ['checkout'],
  stripe_event: ['checkout'],
  watermark: ['checkout'],
  mark: ['rollcall'],
  academy: ['academy'],
  sport: ['academy'],
  media: ['academy'],
  media_file: ['academy'],
  login: ['signin'],
  session: ['signin'],
  link: ['signin'],
  // A denial without a reason waits there for one.
  notice: ['academy', 'classes'],
  digest: ['academy'],
  reminder: ['academy'],
  announcement: ['classes'],
  mailbox: ['mail'],
  sign_in_attempt: ['signin'],
};

/** Files that write a table of another room, and which. */
const guests: Record<string, string[]> = {
  // Erasing a child blanks the notes of its marks.
  'people/participants.ts': ['mark'],
  // The roll call of a class without dates is a meeting of its own kind.
  'rollcall/marks.ts': ['meeting'],
  // The counters of the seats are columns of the class.
  'checkout/seats/grant.ts': ['class'],
  'checkout/seats/counters.ts': ['class'],
  // A new name of a sport, in what is proposed of its classes.
  'academy/settings.ts': ['class'],
  // Terms of leaving of a class.
  'academy/leaving.ts': ['class'],
  // An admin says that a stray payment is dealt with.
  'academy/attention.ts': ['quarantine'],
};

const snake = (name: string) => name.replace(/[A-Z]/g, (big) => `_${big.toLowerCase()}`);

/** The tables that a file writes, in SQL or by the query builder. */
function writtenBy(text: string): string[] {
  const code = withoutComments(text);
  const inSql = code.matchAll(/\b(insert into|delete from|update)\s+"?([a-z_]+)\b/g);
  const built = code.matchAll(/\.(insertInto|updateTable|deleteFrom)\(\s*'(\w+)'/g);
  const found = [...inSql, ...built].map(([, verb, name = '']) => ({ verb, name: snake(name) }));
  // `for update of`, `do update set` and the word in a sentence are no writes.
  return found
    .filter(({ verb, name }) => verb !== 'update' || name in owners)
    .map(({ name }) => name);
}

export const tablesOfTheRoom: Rule = (files) =>
  files
    .filter(({ path }) => inRoom(path) && !isTest(path))
    .flatMap(({ path, text }) => {
      const room = roomOf(path) ?? '';
      const guest = guests[path.slice('server/'.length)] ?? [];
      return [...new Set(writtenBy(text))]
        .filter((table) => !owners[table]?.includes(room) && !guest.includes(table))
        .map(
          (table) =>
            `${path} writes ${table}, which is not a table of ${room} (checks/rules/house.ts)`,
        );
    });

/** Several participants are locked in one order (docs/locking.md): two transactions cannot deadlock. */
export const participantsInOrder: Rule = (files) =>
  files
    .filter(({ path }) => inRoom(path) && !isTest(path))
    .flatMap(({ path, text }) =>
      [
        ...text.matchAll(
          /from participant where id (in|= any)\b[^;]{0,300}? for (no key |key )?(update|share)/g,
        ),
      ]
        .filter(([statement]) => !statement.includes('${lockOrder}'))
        .map(() => `${path} locks participants without lockOrder (people/participants.ts)`),
    );

/** What visitors read says the academy's name and no season; `Rally Sports Academy` is the default name. */
const ourName = /\bRally\b(?! Sports Academy|#)|\b[Ss]ummer(?!-kit)/;

export const neutralTexts: Rule = (files) =>
  files
    .filter(({ path }) => /^web\/|^contract\/platform\/errors/.test(path) && !isTest(path))
    .filter(({ text }) => ourName.test(withoutComments(text)))
    .map(({ path }) => `${path} names Rally or a season where the academy's name belongs`);

/** Yellow means next: the ball of the line and the logo have it, and one word of the hero. */
const maybeYellow = /^web\/(platform\/ui\/Logo|academy\/Home)\.tsx$/;

export const yellowIsNext: Rule = (files) =>
  files
    .filter(({ path }) => /^web\/.*\.tsx$/.test(path) && !isTest(path) && !maybeYellow.test(path))
    .filter(({ text }) => /\b(bg|text|border|fill|stroke|badge|btn)-(accent|ball)\b/.test(text))
    .map(({ path }) => `${path} is yellow, which only the ball is (platform/ui/Logo.tsx)`);

/** The types of the tables are generated. */
export const shortFiles: Rule = (files) =>
  files
    .filter(({ path }) => path !== 'server/platform/db/schema.ts')
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ lines }) => lines > 400)
    .map(({ path, lines }) => `${path} has ${lines} lines: split it by topic (400 at most)`);

/** What the formatter leaves whole: strings, templates (all of our SQL), patterns, comments. */
const wholes =
  /\/\*[\s\S]*?\*\/|\/\/.*|`(?:[^`\\]|\\[\s\S])*`|'(?:[^'\\\n]|\\.)*'|"[^"\n]*"|(?<=(?:[(,=:>[]|return)\s*)\/(?:[^/\\[\n]|\\.|\[[^\]\n]*\])+\//g;

export const shortLines: Rule = (files) =>
  files
    .filter(({ path }) => /\.m?tsx?$|\.mjs$/.test(path) && path !== 'server/platform/db/schema.ts')
    .flatMap(({ path, text }) =>
      text
        .replace(wholes, (whole) => '\n'.repeat(whole.split('\n').length - 1))
        .split('\n')
        .flatMap((line, at) =>
          line.length > 100 ? [`${path}:${at + 1} has more than 100 columns`] : [],
        ),
    );

export const namedExports: Rule = (files) =>
  files
    .filter(
      ({ path, text }) =>
        /^(contract|server|web|packages)\//.test(path) &&
        !isTest(path) &&
        /^export default /m.test(text),
    )
    .map(({ path }) => `${path} has a default export: named exports only`);

const withoutComments = (text: string) => text.replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');

export const nothingPutOff: Rule = (files) =>
  files
    .filter(({ path }) => !/^checks\/(?!e2e)/.test(path))
    .filter(({ text }) =>
      /\b(it|test|describe)\.(skip|only|todo|fixme)\b|@ts-ignore|@ts-nocheck|\bas any\b|: any\b/.test(
        withoutComments(text),
      ),
    )
    .map(({ path }) => `${path} skips, silences or puts off something`);

/** `tr:last-child > *`: what is restyled when a child is added is then everything, on every page. */
const anyAfterPlace =
  /:(?:(?:first|last|only|nth(?:-last)?)-(?:child|of-type)(?:\([^)]*\))?)[\s_]*[>+~][\s_]*\*/;

export const namedSubjects: Rule = (files) =>
  files
    .filter(({ path, text }) => path.startsWith('web/') && anyAfterPlace.test(text))
    .map(({ path }) => `${path} styles any element by the place of another: name the element`);

const title = /(?:\b(?:it|test|describe)(?:\.\w+)*|\))\(\s*(['"`])((?:\\.|(?!\1)[\s\S])+)\1,/g;
const isTestFile = (path: string) => /\.(test|spec)\.tsx?$/.test(path);
export const shortTitles: Rule = (files) =>
  files
    .filter(({ path }) => isTestFile(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(title)]
        .filter(([, , words = '']) => words.length > 60)
        .map(([, , words]) => `${path}: "${words}" is longer than 60 characters`),
    );
