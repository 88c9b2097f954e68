// The HTML around the app takes texts that people typed; none of them may become markup or script.
import type { DehydratedState } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { unknownSettings } from '../platform/api/query.ts';
import { document } from './document.ts';

const evil = `</script><script>alert(1)</script><!-- " ' \u2028`;

const made = (given: Partial<Parameters<typeof document>[0]> = {}) =>
  document({
    head: { title: 'Classes' },
    body: '',
    complete: true,
    path: '/classes',
    state: { mutations: [], queries: [] },
    settings: { ...unknownSettings, publicUrl: 'https://rally.example' },
    assets: {
      scripts: ['/assets/main.js'],
      preloads: [],
      fonts: ['/assets/text.woff2'],
      css: 'body{margin:0}',
    },
    ...given,
  });

const page = (given?: Parameters<typeof made>[0]) => made(given).html;

describe('the document', () => {
  it('names for the policy exactly its scripts and styles', () => {
    const { html, inline } = made();
    const contents = (tag: RegExp) => [...html.matchAll(tag)].map(([, text]) => text);
    expect(contents(/<script>([^]*?)<\/script>/g)).toEqual(inline.scripts);
    expect(contents(/<style>([^]*?)<\/style>/g)).toEqual(inline.styles);
    const others = html.match(/<script (?!type="application\/(ld\+)?json")[^>]*>/g);
    expect(others).toBeNull();
  });

  it('puts a nonce on them in development, where Vite adds more', () => {
    for (const tag of page({ nonce: 'abc' }).match(/<(script|style)(?! type="app)[^>]*>/g) ?? [])
      expect(tag).toContain('nonce="abc"');
  });

  it('asks for no script before the first paint', () => {
    expect(page()).not.toMatch(/<script[^>]* src=|modulepreload" href/);
    expect(page()).toMatch(/"\/assets\/main\.js"[^]*requestAnimationFrame/);
  });

  it('starts the scripts of a frame at once, before the font', () => {
    const frame = page({ complete: false });
    expect(frame).toContain('"/assets/main.js"');
    expect(frame).not.toMatch(/requestAnimationFrame|as="font"/);
    expect(frame).toContain('data-fonts="late"');
    expect(page()).not.toContain('data-fonts');
  });

  it('lets no text out of title, description, state or data', () => {
    const html = page({
      head: { title: evil, description: evil, data: { name: evil } },
      state: { mutations: [], queries: [], evil } as unknown as DehydratedState,
    });
    expect(html).not.toContain('<script>alert');
    expect(/<script type="application[^]*$/.exec(html)?.[0]).not.toContain('\u2028');
    expect(html.match(/<script/g)).toHaveLength(4);
  });

  it('names the canonical address, and hides what is not public', () => {
    expect(page()).toContain('<link rel="canonical" href="https://rally.example/classes">');
    expect(page({ head: { title: 'x', hidden: true } })).toContain('noindex');
  });

  it('lifts the preloads of pictures into the head', () => {
    const html = page({
      body: '<link rel="preload" as="image" href="/a.webp"/><main>Hello</main>',
    });
    expect(html.indexOf('/a.webp')).toBeLessThan(html.indexOf('</head>'));
    expect(html).toContain('<div id="root"><main>Hello</main></div>');
  });
});
