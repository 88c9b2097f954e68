// Serves the web app: its files, its pages rendered on the server, robots.txt and the sitemap.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AnyCall, Answer } from '../../contract/platform/call.ts';
import { listClasses } from '../../contract/classes/classes.ts';
import { ownColours, paletteOf } from '../../contract/platform/contrast.ts';
import { settings } from '../../contract/platform/settings.ts';
import { fail } from '../platform/http/fail.ts';
import { etagOf, type Memory, ofKept } from '../platform/http/memory.ts';
import { dataPolicy, hashesOf, type Protection } from '../platform/http/protection.ts';

export interface PagesOptions {
  clientDir: string;
  serverDir: string;
  /** Vite compiles on request; otherwise the output of `npm run build` is served. */
  dev: boolean;
  publicUrl: string;
  /** Calls the API as a visitor, without the network. */
  ask: (call: AnyCall, input: object) => Promise<unknown>;
  /** Keeps pages, until something that visitors can see changes. */
  memory: Memory;
  protection: Protection;
}

interface Assets {
  scripts: string[];
  preloads: string[];
  fonts: string[];
  css: string;
  styles?: string[];
  preamble?: string;
}

interface Rendered {
  status: number;
  html: string;
  inline: { scripts: string[]; styles: string[] };
  whole: boolean;
}

type Render = (request: {
  url: string;
  nonce: string | undefined;
  ask: PagesOptions['ask'];
  settings: unknown;
  assets: (sources: string[]) => Assets;
}) => Promise<Rendered>;

/** The two things that differ between development and production. */
interface Build {
  render: () => Promise<Render>;
  assets: (sources: string[]) => Assets;
}

export async function registerPages(app: FastifyInstance, options: PagesOptions): Promise<void> {
  const build = options.dev ? await developing(app) : await built(app, options);
  const { memory, protection, dev, ask } = options;
  const readSettings = async () => (await ask(settings, {})) as Answer<typeof settings>;
  const render = async (url: string, nonce?: string): Promise<Rendered> => {
    const rendered = await (
      await build.render()
    )({
      url,
      nonce,
      ask,
      settings: await readSettings(),
      assets: build.assets,
    });
    // The browser loads what is missing, but a search engine must not index the empty page.
    return rendered.whole ? rendered : { ...rendered, status: 503 };
  };

  /** Kept until something changes that visitors can see. */
  const made = (url: string) =>
    memory.share(`page ${url}`, channels, async (generation) => {
      const { status, html, inline } = await render(url);
      const policy = protection.policy({
        scripts: `${hashesOf(inline.scripts)} 'self'`,
        styles: hashesOf(inline.styles),
      });
      const headers = { ...protection.fixed, 'content-security-policy': policy };
      const about = { channels, generation, forSignedIn: true, protection: headers, type };
      if (status === 200 && url.length <= 300) memory.keep(url, html, about);
      return { status, html, headers: { ...headers, etag: etagOf(html) } };
    });
  app.get('/robots.txt', async (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(
        `User-agent: *\nDisallow: /api/\nDisallow: /dashboard\nSitemap: ${options.publicUrl}/sitemap.xml\n`,
      ),
  );
  app.get('/manifest.webmanifest', async (_request, reply) =>
    reply
      .headers(dataPolicy)
      .header('cache-control', 'no-cache')
      .type('application/manifest+json; charset=utf-8')
      .send(manifestOf(await readSettings())),
  );
  const limit = app.rateLimit();
  app.get('/sitemap.xml', { onRequest: limit }, async (_request, reply) =>
    reply
      .headers({ ...dataPolicy, 'cache-control': 'no-cache' })
      .type('application/xml; charset=utf-8')
      .send(await sitemap(options)),
  );
  app.get('/*', async (request, reply) => {
    const url = pageOf(request);
    if (/^\/api(\/|$)/.test(url)) fail('NOT_FOUND');
    if (memory.serve(request.raw, reply.raw, url)) return reply.hijack();
    await limit.call(app, request, reply);
    const answer = dev ? await render(url, request.nonce) : await made(url);
    const { status, html, ...page } = answer;
    if (status === 503) reply.header('retry-after', 2);
    if ('headers' in page) reply.headers(page.headers);
    return reply.code(status).headers(ofKept).type(type).send(html);
  });
}

/** A page shows classes, their seats and people. */
const channels = ['classes', 'people', 'seats'] as const;
const type = 'text/html; charset=utf-8';

function pageOf(request: FastifyRequest): string {
  // Two slashes at the start would name another host.
  const [path = '/', search] = `/${request.url.replace(/^[/\\]+/, '')}`.split('?', 2);
  // Only the catalogue and the calendar are rendered from their query. Elsewhere the query is for the browser only (a
  // reset token above all) and is never kept.
  return search && /^\/(classes|calendar|instructors)$/.test(path) ? `${path}?${search}` : path;
}

async function sitemap({ publicUrl, ask }: PagesOptions): Promise<string> {
  const { pages } = (await ask(settings, {})) as Answer<typeof settings>;
  const written = pages.map((name) => `/pages/${name}`);
  const addresses = ['/', '/classes', '/calendar', '/instructors', ...written];
  const fixed = addresses.length;
  // A sitemap may have 50,000 addresses.
  for (let page = 1, total = Infinity; addresses.length < Math.min(total, 49_900); page += 1) {
    const asked = { status: 'approved', page, limit: 100 };
    const found = (await ask(listClasses, asked)) as Answer<typeof listClasses>;
    if (found.result.length === 0) break;
    addresses.push(...found.result.map(({ _id }) => `/classes/${_id}`));
    total = found.total + fixed;
  }
  const urls = addresses.map((path) => `<url><loc>${publicUrl}${path}</loc></url>`).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}\n</urlset>\n`;
}

/** For a phone's home screen. */
function manifestOf({ brand, shortName, tagline, primary, icon }: Answer<typeof settings>): string {
  return JSON.stringify({
    name: brand,
    short_name: shortName ?? brand,
    ...(tagline && { description: tagline }),
    start_url: '/',
    display: 'standalone',
    theme_color: primary ?? ownColours.primary,
    background_color: '#f6f1e6',
    icons: icon ? iconsOf(icon) : ownIcons,
  });
}

/** The drawing follows the academy's colours; a phone that takes no drawing has the ball in ours. */
const ownIcons = [
  { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
  { src: '/media/icon/192.png', sizes: '192x192', type: 'image/png' },
  { src: '/media/icon/512.png', sizes: '512x512', type: 'image/png' },
  { src: '/media/icon/maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
];

/** The files of an uploaded picture; another address as it is. */
function iconsOf(address: string) {
  const [, folder, largest] = /^(\/media\/[\da-f]{64}\/)(\d+)\.webp$/.exec(address) ?? [];
  if (!folder) return [{ src: address }];
  return [...new Set([96, Math.min(480, Number(largest))])].map((width) => ({
    src: `${folder}${width}.webp`,
    sizes: `${width}x${width}`,
    type: 'image/webp',
  }));
}

interface Chunk {
  file: string;
  css?: string[];
  assets?: string[];
  imports?: string[];
}

/** Our ball in the colours of the academy. */
function coloured(icon: string, chosen: { primary?: string; accent?: string }): string {
  const { light } = paletteOf({ ...ownColours, ...chosen });
  return icon.replace(ownColours.accent, light.accent).replace(ownColours.primary, light.seam);
}

async function built(
  app: FastifyInstance,
  { clientDir, serverDir, ask }: PagesOptions,
): Promise<Build> {
  const manifest = JSON.parse(
    await readFile(join(clientDir, '.vite/manifest.json'), 'utf8').catch(() => {
      throw new Error('The web app is not built yet: run "npm run build" first.');
    }),
  ) as Record<string, Chunk>;
  const module = (await import(pathToFileURL(join(serverDir, 'server.js')).href)) as {
    render: Render;
  };
  const day = 86_400_000;
  // The names of built files change with their content; those of pictures do not.
  for (const [folder, days] of [
    ['assets', 365],
    ['media', 30],
  ] as const)
    await app.register(fastifyStatic, {
      root: resolve(clientDir, folder),
      prefix: `/${folder}/`,
      maxAge: days * day,
      immutable: folder === 'assets',
      preCompressed: true,
      decorateReply: false,
      index: false,
    });
  const icon = await readFile(join(clientDir, 'icon.svg'), 'utf8');
  app.get('/icon.svg', async (_request, reply) => {
    const { primary, accent } = (await ask(settings, {})) as Answer<typeof settings>;
    const isOurs = (primary ?? accent) === undefined;
    return reply
      .header('cache-control', isOurs ? 'public, max-age=604800' : 'no-cache')
      .type('image/svg+xml')
      .send(isOurs ? icon : coloured(icon, { primary, accent }));
  });
  // Asked for again at every visit, so that a new build replaces the old one.
  const worker = await readFile(join(clientDir, 'sw.js'));
  app.get('/sw.js', async (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .header('service-worker-allowed', '/dashboard/rollcall')
      .type('text/javascript; charset=utf-8')
      .send(worker),
  );
  const remembered = new Map<string, Assets>();
  return {
    render: async () => module.render,
    assets: (sources) => {
      const key = sources.join();
      const known = remembered.get(key) ?? filesOf(manifest, sources, clientDir);
      remembered.set(key, known);
      return known;
    },
  };
}

/** The Latin subset of Figtree. The headings' font is loaded after the first paint. */
const textFont = /figtree-latin-wght-normal[^/]*\.woff2$/;

/** The files of the entry and, to be loaded at the same time, those of the first page. */
function filesOf(manifest: Record<string, Chunk>, sources: string[], folder: string): Assets {
  const entry = manifest['web/app/main.tsx'];
  if (!entry) throw new Error('The manifest of the web build names no entry.');
  const seen = new Set<string>();
  const styles = new Set<string>();
  const visit = (name: string) => {
    const chunk = manifest[name];
    if (!chunk || seen.has(chunk.file)) return;
    seen.add(chunk.file);
    for (const file of chunk.css ?? []) styles.add(file);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const name of ['web/app/main.tsx', ...sources]) visit(name);
  seen.delete(entry.file);
  return {
    scripts: [`/${entry.file}`],
    css: [...styles].map((file) => readFileSync(join(folder, file), 'utf8')).join('\n'),
    preloads: [...seen].map((file) => `/${file}`),
    fonts: (entry.assets ?? []).filter((file) => textFont.test(file)).map((file) => `/${file}`),
  };
}

async function developing(app: FastifyInstance): Promise<Build> {
  const { createServer } = await import('vite');
  const vite = await createServer({
    appType: 'custom',
    // Bundled, the configuration becomes a new file at every start, and node --watch would restart
    // for each.
    configLoader: 'native',
    server: { middlewareMode: true, hmr: { server: app.server } },
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (request.url.startsWith('/api/')) return done();
    // Vite serves what it knows (sources, pictures); everything else is ours.
    vite.middlewares(request.raw, reply.raw, done);
  });
  app.addHook('onClose', () => vite.close());
  const preamble = `import { injectIntoGlobalHook } from '/@react-refresh';
injectIntoGlobalHook(window); window.$RefreshReg$ = () => {}; window.$RefreshSig$ = () => (type) => type;`;
  return {
    render: async () =>
      ((await vite.ssrLoadModule('/web/app/server.tsx')) as { render: Render }).render,
    assets: () => ({
      scripts: ['/@vite/client', '/web/app/main.tsx'],
      css: '',
      styles: ['/web/app/styles.css'],
      preloads: [],
      fonts: [],
      preamble,
    }),
  };
}
