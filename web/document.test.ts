// The HTML around the app takes texts that people typed; none of them may become markup or script.
import { describe, expect, it } from 'vitest';
import { document } from './document.ts';

const evil = `</script><script>alert(1)</script><!-- " ' \u2028`;

const page = (given: Partial<Parameters<typeof document>[0]> = {}) =>
  document({
    head: { title: 'Classes' },
    nonce: 'abc',
    body: '',
    path: '/classes',
    state: { mutations: [], queries: [] },
    settings: {
      brand: 'Rally',
      publicUrl: 'https://rally.example',
      google: false,
      demo: false,
      strictPasswords: false,
      cards: { publishableKey: '', sandbox: true },
    },
    assets: {
      scripts: ['/assets/main.js'],
      styles: ['/assets/main.css'],
      preloads: [],
      fonts: ['/assets/text.woff2'],
    },
    ...given,
  });

describe('the document', () => {
  it('puts the nonce on every script and style', () => {
    for (const tag of page().match(/<(script|link rel="stylesheet")[^>]*>/g) ?? [])
      expect(tag).toContain('nonce="abc"');
  });

  it('asks for no script before the first paint', () => {
    expect(page()).not.toMatch(/<script[^>]* src=|modulepreload" href/);
    expect(page()).toMatch(/requestAnimationFrame[^]*"\/assets\/main\.js"/);
  });

  it('lets no text out of the title, the description, the state or the structured data', () => {
    const html = page({
      head: { title: evil, description: evil, data: { name: evil } },
      state: { mutations: [], queries: [], evil } as unknown as Parameters<
        typeof document
      >[0]['state'],
    });
    expect(html).not.toContain('<script>alert');
    expect(/<script type="application[^]*$/.exec(html)?.[0]).not.toContain('\u2028');
    expect(html.match(/<script/g)).toHaveLength(4);
  });

  it('names the canonical address and hides from search engines what is not for them', () => {
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
