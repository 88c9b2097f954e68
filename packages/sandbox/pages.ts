// The files for the browser: the substitute for Stripe.js, the card frame, the challenge.
import { readFileSync } from 'node:fs';

interface Page {
  body: Buffer;
  headers: Record<string, string>;
}

// Same origin only, and no inline script or style: the frames have the card number.
const framePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

const files: Record<string, string> = {
  '/sandbox/elements/card': 'card.html',
  '/sandbox/elements/card.js': 'card.js',
  '/sandbox/elements/fields.js': 'fields.js',
  '/sandbox/elements/card.css': 'card.css',
  '/sandbox/challenge': 'challenge.html',
  '/sandbox/challenge.js': 'challenge.js',
  '/sandbox/challenge.css': 'challenge.css',
};

const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

const headersOf = (file: string): Record<string, string> => ({
  'content-type': types[file.split('.')[1] ?? ''] ?? '',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  ...(file.endsWith('.html') && {
    'content-security-policy': framePolicy,
    'x-frame-options': 'SAMEORIGIN',
  }),
});

const fileOf = (name: string): Buffer => readFileSync(new URL(`browser/${name}`, import.meta.url));

/** Stripe.js is one plain script, so its modules are joined; they share no names. */
function joined(names: string[]): Buffer {
  const parts = names.map((name) =>
    fileOf(name)
      .toString('utf8')
      .replaceAll(/^import [^;]*;\n/gm, '')
      .replaceAll(/^export /gm, ''),
  );
  return Buffer.from(`(() => {\n${parts.join('\n')}})();\n`);
}

export function openPages(): (path: string) => Page | undefined {
  const pages = new Map(
    Object.entries(files).map(([path, file]): [string, Page] => [
      path,
      { headers: headersOf(file), body: fileOf(file) },
    ]),
  );
  const body = joined(['wire.js', 'element.js', 'overlay.js', 'stripe.js']);
  pages.set('/sandbox/stripe.js', { headers: headersOf('stripe.js'), body });
  return (path) => pages.get(path);
}
