// Serves the web app: its files, its pages rendered on the server, robots.txt and the sitemap.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AnyCall, Answer, Input } from '../../contract/call.ts';
import { listClasses } from '../../contract/classes.ts';
import { settings } from '../../contract/identity.ts';
import { fail } from './fail.ts';
import { createLimit } from './limits.ts';

export interface PagesOptions {
  clientDir: string;
  serverDir: string;
  /**
   * Vite compiles on request and reloads the browser; otherwise the output of `npm run build` is
   * served.
   */
  dev: boolean;
  brand: string;
  publicUrl: string;
  /** Calls the API as a visitor, without the network. */
  ask: (call: AnyCall, input: object) => Promise<unknown>;
  /** Notifies of every change that visitors can see. */
  onCatalogueChange: (listener: () => void) => void;
  sandbox: boolean;
  rateLimit: boolean;
}

/** Pages rendered for one visitor per minute; cached pages are not counted. */
const renderedPerMinute = 300;

interface Assets {
  scripts: string[];
  styles: string[];
  preloads: string[];
  fonts: string[];
  preamble?: string;
}

interface Rendered {
  status: number;
  html: string;
  whole: boolean;
}

type Render = (request: {
  url: string;
  nonce: string;
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
  const pages = new Pages(build, options);
  options.onCatalogueChange(() => pages.forget());

  app.get('/robots.txt', async (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(
        `User-agent: *\nDisallow: /api/\nDisallow: /dashboard\nSitemap: ${options.publicUrl}/sitemap.xml\n`,
      ),
  );
  app.get('/sitemap.xml', async (_request, reply) =>
    reply.type('application/xml; charset=utf-8').send(await pages.sitemap()),
  );
  const limit = createLimit(app, { name: 'page', max: renderedPerMinute });
  app.get('/*', async (request, reply) => {
    if (/^\/api(\/|\?|$)/.test(request.url)) fail('NOT_FOUND');
    const url = pageOf(request);
    if (options.rateLimit && !pages.has(url)) await limit(request);
    const { status, html } = await pages.page(url, request.nonce);
    if (status === 503) reply.header('retry-after', 2);
    return reply
      .code(status)
      .header('cache-control', 'private, no-cache')
      .type('text/html; charset=utf-8')
      .send(html);
  });
}

function pageOf(request: FastifyRequest): string {
  // Two slashes at the start would name another host.
  const [path = '/', search] = `/${request.url.replace(/^[/\\]+/, '')}`.split('?', 2);
  // Only the catalogue is rendered from its query. Elsewhere the query is for the browser only (a
  // reset token above all) and is never kept.
  return search && /^\/(classes|instructors)$/.test(path) ? `${path}?${search}` : path;
}

const keptPages = 200;

/**
 * Renders pages and keeps them until the catalogue changes: a visitor's HTML differs only in the
 * nonce.
 */
class Pages {
  readonly #build: Build;
  readonly #options: PagesOptions;
  readonly #kept = new Map<string, Promise<{ status: number; parts: string[] }>>();
  /** Placeholder for the nonce of the request; random, so that no user's text can contain it. */
  readonly #placeholder = randomBytes(16).toString('hex');
  #sitemap: Promise<string> | null = null;

  constructor(build: Build, options: PagesOptions) {
    this.#build = build;
    this.#options = options;
  }

  forget() {
    this.#kept.clear();
    this.#sitemap = null;
  }

  has(url: string): boolean {
    return this.#kept.has(url);
  }

  async page(url: string, nonce: string): Promise<{ status: number; html: string }> {
    const { status, parts } = await (this.#kept.get(url) ?? this.#make(url));
    return { status, html: parts.join(nonce) };
  }

  #make(url: string) {
    const made = this.#render(url).then(
      ({ status, html }) => {
        if (status !== 200 && this.#kept.get(url) === made) this.#kept.delete(url);
        return { status, parts: html.split(this.#placeholder) };
      },
      (error: unknown) => {
        if (this.#kept.get(url) === made) this.#kept.delete(url);
        throw error;
      },
    );
    if (this.#options.dev || url.length > 300) return made;
    const oldest = this.#kept.keys().next().value;
    if (this.#kept.size >= keptPages && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(url, made);
    return made;
  }

  async #render(url: string): Promise<Rendered> {
    const render = await this.#build.render();
    const rendered = await render({
      url,
      nonce: this.#placeholder,
      ask: this.#options.ask,
      settings: await this.#options.ask(settings, {}),
      assets: this.#build.assets,
    });
    // The browser loads what is missing, but a search engine must not index the empty page.
    return rendered.whole ? rendered : { ...rendered, status: 503 };
  }

  sitemap(): Promise<string> {
    this.#sitemap ??= this.#writeSitemap().catch((error: unknown) => {
      this.#sitemap = null;
      throw error;
    });
    return this.#sitemap;
  }

  async #writeSitemap() {
    const { publicUrl } = this.#options;
    const addresses = ['/', '/classes', '/instructors'];
    // A sitemap may have 50,000 addresses.
    for (let page = 1, total = Infinity; addresses.length < Math.min(total, 49_900); page += 1) {
      const found = await this.#ask(listClasses, { status: 'approved', page, limit: 100 });
      if (found.result.length === 0) break;
      addresses.push(...found.result.map(({ _id }) => `/classes/${_id}`));
      total = found.total + 3;
    }
    const urls = addresses.map((path) => `<url><loc>${publicUrl}${path}</loc></url>`).join('\n');
    return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}\n</urlset>\n`;
  }

  async #ask<C extends AnyCall>(call: C, input: Input<C> & object) {
    return (await this.#options.ask(call, input)) as Answer<C>;
  }
}

interface Chunk {
  file: string;
  css?: string[];
  assets?: string[];
  imports?: string[];
}

async function built(app: FastifyInstance, { clientDir, serverDir }: PagesOptions): Promise<Build> {
  const manifest = JSON.parse(
    await readFile(join(clientDir, '.vite/manifest.json'), 'utf8').catch(() => {
      throw new Error('The web app is not built yet: run "npm run build" first.');
    }),
  ) as Record<string, Chunk>;
  const module = (await import(pathToFileURL(join(serverDir, 'server.js')).href)) as {
    render: Render;
  };
  const year = 31_536_000_000;
  const day = 86_400_000;
  // The names of built files change with their content; those of pictures do not.
  const folders = [
    { prefix: '/assets/', folder: 'assets', maxAge: year, immutable: true },
    { prefix: '/media/', folder: 'media', maxAge: 30 * day, immutable: false },
  ];
  for (const { prefix, folder, maxAge, immutable } of folders) {
    await app.register(fastifyStatic, {
      root: resolve(clientDir, folder),
      prefix,
      maxAge,
      immutable,
      preCompressed: true,
      decorateReply: false,
      index: false,
    });
  }
  const icon = await readFile(join(clientDir, 'icon.svg'));
  app.get('/icon.svg', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=604800').type('image/svg+xml').send(icon),
  );
  const remembered = new Map<string, Assets>();
  return {
    render: async () => module.render,
    assets: (sources) => {
      const key = sources.join();
      const known = remembered.get(key) ?? filesOf(manifest, sources);
      remembered.set(key, known);
      return known;
    },
  };
}

/** Figtree's latin letters. The headings' font is loaded after the first paint. */
const textFont = /figtree-latin-wght-normal[^/]*\.woff2$/;

/** The files of the entry and, to be loaded at the same time, those of the first page. */
function filesOf(manifest: Record<string, Chunk>, sources: string[]): Assets {
  const entry = manifest['web/main.tsx'];
  if (!entry) throw new Error('The manifest of the web build names no entry.');
  const seen = new Set<string>();
  const styles = new Set<string>();
  const visit = (name: string) => {
    const chunk = manifest[name];
    if (!chunk || seen.has(chunk.file)) return;
    seen.add(chunk.file);
    for (const file of chunk.css ?? []) styles.add(`/${file}`);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const name of ['web/main.tsx', ...sources]) visit(name);
  seen.delete(entry.file);
  return {
    scripts: [`/${entry.file}`],
    styles: [...styles],
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
      ((await vite.ssrLoadModule('/web/server.tsx')) as { render: Render }).render,
    assets: () => ({
      scripts: ['/@vite/client', '/web/main.tsx'],
      styles: ['/web/styles.css'],
      preloads: [],
      fonts: [],
      preamble,
    }),
  };
}
