// How the web app is built: once for the browser (dist/client, with a manifest) and once for the
// server (dist/server).
import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

export default defineConfig(({ isSsrBuild, command }) => ({
  plugins: [react(), tailwindcss(), ...(command === 'build' && !isSsrBuild ? [callsAsData()] : [])],
  appType: 'custom',
  publicDir: 'web/public',
  build: {
    outDir: isSsrBuild ? 'dist/server' : 'dist/client',
    emptyOutDir: true,
    copyPublicDir: !isSsrBuild,
    manifest: !isSsrBuild,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    ...(!isSsrBuild && {
      rolldownOptions: {
        input: 'web/app/main.tsx',
        output: {
          codeSplitting: {
            groups: [reactDom, words, rules, base, shelf, frame, list, forms],
          },
        },
      },
    }),
  },
}));

/** By the path inside the project: the folder it was cloned into may have any name. */
const inProject = (pattern: RegExp) => (id: string) =>
  pattern.test(relative(import.meta.dirname, id).replaceAll('\\', '/'));

/** The small files of some pages: one chunk instead of many. */
const group = (name: string, pattern: RegExp) => ({
  name,
  test: inProject(pattern),
  includeDependenciesRecursively: false,
});

/**
 * Half of the scripts of a page. A release seldom changes them, and browsers keep the file. It holds
 * nothing else: with a debugger attached, as in Lighthouse, V8 reads every file on the stack again when
 * an error is made, and React DOM makes some at its start.
 */
const reactDom = {
  name: 'react-dom',
  priority: 4,
  test: inProject(/^node_modules\/(react-dom\/(client|cjs\/react-dom-client)|scheduler\/)/),
  includeDependenciesRecursively: false,
};

/** What the rules and others both need without zod, and must not be found in the heavier one. */
const words = {
  name: 'words',
  priority: 3,
  test: inProject(
    /^contract\/(\w+\/(call|limits|messages|sports|days|ages|slots|weekdays)|checkout\/pricing)\.ts/,
  ),
};

/** zod and what is made of it, for the forms alone. */
const rules = {
  name: 'rules',
  priority: 2,
  test: inProject(/\?original$|^contract\/platform\/rules\.ts|^node_modules\/zod\//),
};

/**
 * The small files that nearly every page needs: one chunk instead of thirty. A browser loads six
 * files at a time, and on a slow line each further round costs more than a kilobyte too many. The
 * sentences of the errors are for the server, the calls about dates for the pages with calendars,
 * the account for the forms.
 */
const base = {
  name: 'base',
  test: inProject(
    new RegExp(
      `^(${[
        'contract/\\w+(?!/(errors|academy|account|announcements|contrast|currencies|calendar|care|checkout|closed|discounts|join|lines|marks|meetings|pages|pictures|places|plans|pricing|sums|rollcall|slips|sporticons|staff|steps|userpage))',
        'web/app(?!/(DashboardLayout|MenuSheet|Sidebar|counts|menu|main|fonts|styles|calendar|written))',
        'web/platform/api(?!/(form|photo|colours|upload))',
        'node_modules/react-dom/(index|cjs/react-dom\\.production)',
        'web/classes/(forWhom|live|participants|search)',
        'web/platform/lists/total',
        'web/platform/paths',
        'web/people/session(?!/(account|invitation|origin))',
        'web/platform/ui/(Button|Email|Field|Grid|Logo|Messages|Modal|PageLinks|Picture|sources|States|ThemeToggle|WhenWhere|alert|dates|focus|head|hydrated|money|theme|watched)',
      ].join('|')})(\\.|/|$)`,
    ),
  ),
};

/** The same for the pages with classes. */
const shelf = group(
  'shelf',
  /^web\/(classes\/(ClassCard|ClassFacts|Fits|Offer|SportIcon|filters|understood|calendar\/ListOrCalendar)|platform\/lists\/CardList)\./,
);

/** The same for the dashboard. */
const frame = group(
  'frame',
  /^(web\/people\/confirm\/ConfirmFirst|web\/platform\/ui\/(Card|ForWhom|FormDialog|PageHeading|Tabs|TextDialog|dashboardicons|onDemand)|web\/checkout\/(ReceiptLink|RefundMark|total)|web\/classes\/(ClashNote|StatusBadge)|contract\/\w+\/(checkout|closed|meetings|sums|rollcall|staff|userpage))\./,
);

/** The same for the pages of the dashboard with a table. */
const list = group(
  'list',
  /^web\/platform\/(ui\/(Pagination|Table)|lists\/(ExportButton|ListPage|PeriodFilter|listing))\./,
);

/** The same for the forms. */
const forms = group('forms', /^(web\/platform\/api\/form\.|node_modules\/react-hook-form\/)/);

/**
 * The browser sends calls and never checks their answers, so of a call it needs method, path and
 * the like, not its schemas. In the browser's build the calls of the contract become plain data,
 * and zod (11 kB) is loaded only with the forms that use its rules.
 */
function callsAsData(): Plugin {
  const original = '?original';
  return {
    name: 'rally-calls-as-data',
    enforce: 'pre',
    async transform(code, id) {
      const [file = id, query] = id.split('?');
      // Schemas come from schemas: a module of calls would be found in the chunk of the rules.
      if (query === 'original')
        return {
          code: code.replace(callModule, `$1${original}$2`),
          map: null,
          moduleSideEffects: false,
        };
      // A module without schemas stays as it is. Otherwise its functions would bring zod along.
      const schemas = code.includes("from 'zod/mini'");
      if (query !== undefined || !schemas || !inProject(/^contract\/\w+\/\w+\.ts$/)(file))
        return null;
      const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
      const lines = Object.entries(module).map(([name, value]) =>
        isCall(value) || isList(value)
          ? `export const ${name} = ${JSON.stringify(value, forBrowser)};`
          : `export { ${name} } from ${JSON.stringify(file + original)};`,
      );
      return lines.some((line) => line.startsWith('export const'))
        ? { code: lines.join('\n'), map: null, moduleSideEffects: false }
        : null;
    },
  };
}

/** An import of a module that declares calls. */
const callModule =
  /(from '\.{1,2}\/(?:\w+\/)?(?!(?:call|limits|messages|errors|rules|described|days|ages|slots|weekdays|sporticons|sports|pages|contrast|currencies|pricing)\.ts)\w+\.ts)(')/g;

/** Of the access, the browser needs to know only whether the call goes by the cookie. */
const forBrowser = (key: string, part: unknown) =>
  serverOnly.has(key) || (key === 'access' && part !== 'session') ? undefined : part;

const serverOnly = new Set(
  'input example response errors does status repeatable idempotent perMinute perHour'.split(' '),
);

const isList = (value: unknown) =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string');

const isCall = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  'method' in value &&
  'path' in value &&
  'access' in value;
