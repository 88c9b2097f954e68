// The service worker of the roll call, served as /sw.js: its page opens without a network. It keeps
// the page's shell and its files, never an answer of the API. Only the roll call registers it, and
// its scope is that page.

/** Written by the build: what the roll call loads, and a name that changes with it. */
declare const kept: { version: string; files: readonly string[] };

/** The types of a worker clash with those of a page, so the few in use are named here. */
interface Waits extends Event {
  waitUntil: (work: Promise<unknown>) => void;
}
interface Asked extends Waits {
  request: Request;
  respondWith: (response: Promise<Response>) => void;
}
const worker = globalThis as unknown as {
  addEventListener: ((name: 'install' | 'activate', on: (event: Waits) => void) => void) &
    ((name: 'fetch', on: (event: Asked) => void) => void);
  skipWaiting: () => Promise<void>;
  clients: { claim: () => Promise<void> };
};

const { version, files } = kept;
const shell = '/dashboard/rollcall';
const name = `rollcall-${version}`;
/** After this long without an answer the kept page opens: a bad network is worse than none. */
const patience = 3_000;

worker.addEventListener('install', (event) =>
  event.waitUntil(fill().then(() => worker.skipWaiting())),
);

worker.addEventListener('activate', (event) =>
  event.waitUntil(removeOthers().then(() => worker.clients.claim())),
);

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') {
    if (pathname !== shell && !pathname.startsWith(`${shell}/`)) return;
    const fresh = fetch(request).then(keepShell);
    event.waitUntil(fresh.catch(() => null));
    event.respondWith(pageFrom(fresh));
  } else if (files.includes(pathname)) event.respondWith(fileAt(pathname, request));
});

async function fill(): Promise<void> {
  const cache = await caches.open(name);
  const page = await fetch(shell, { cache: 'no-cache' });
  // While a new version is rolled out, the page may be of another build than this worker: the next
  // visit tries again.
  if (!page.ok || !(await isOurs(page))) throw new Error('The page is of another build.');
  await cache.addAll(files);
  await cache.put(shell, page);
}

async function removeOthers(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((other) => other.startsWith('rollcall-') && other !== name);
  await Promise.all(old.map((other) => caches.delete(other)));
}

/** Every script that the page names is among the kept files. */
async function isOurs(page: Response): Promise<boolean> {
  const scripts = (await page.clone().text()).match(/\/assets\/[\w.-]+\.js/g) ?? [];
  return scripts.every((file) => files.includes(file));
}

async function keepShell(page: Response): Promise<Response> {
  if (page.ok && (await isOurs(page))) await (await caches.open(name)).put(shell, page.clone());
  return page;
}

/** Network first. The kept page replaces an answer that is late, lost or of a failing server. */
async function pageFrom(fresh: Promise<Response>): Promise<Response> {
  const own = await (await caches.open(name)).match(shell, { ignoreVary: true });
  if (!own) return fresh;
  const late = new Promise<Response>((done) => setTimeout(done, patience, own));
  const answered = fresh.then(
    (page) => (page.status < 500 ? page : own),
    () => own,
  );
  return Promise.race([answered, late]);
}

/** The names of these files change with their content. */
async function fileAt(path: string, request: Request): Promise<Response> {
  const own = await (await caches.open(name)).match(path, { ignoreVary: true });
  return own ?? fetch(request);
}
