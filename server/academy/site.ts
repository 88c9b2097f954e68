// GET /home and GET /pages/:name: what the academy wrote for its visitors. Kept until it changes.
import type { Services } from '../platform/services.ts';
import { previewPage } from '../../contract/academy/academy.ts';
import { readHome, readPage } from '../../contract/academy/site.ts';
import type { Answer } from '../../contract/platform/call.ts';
import { queryOne, withoutNulls } from '../platform/db/connection.ts';
import { fail } from '../platform/http/fail.ts';
import MarkdownIt from 'markdown-it';

const markdown = new MarkdownIt('commonmark', { html: false, linkify: false })
  .enable(['table', 'strikethrough'])
  // Pictures would load from anywhere, and tell a third party who reads the page.
  .disable(['image', 'html_block', 'html_inline']);

markdown.validateLink = (address) =>
  /^(https:\/\/|mailto:|tel:|\/(?![/\\])|#)/i.test(address.trim());

// The page has a heading of its own: those of the text begin one level below it.
markdown.renderer.rules.heading_open = (tokens, at) => `<${lower(tokens[at]?.tag)}>`;
markdown.renderer.rules.heading_close = (tokens, at) => `</${lower(tokens[at]?.tag)}>\n`;

const lower = (tag = 'h1') => `h${Math.min(6, Number(tag.slice(1)) + 1)}`;

export const htmlOf = (text: string): string => markdown.render(text);

/** For visitors: an admin sees what was just saved. */
const kept = { channels: ['classes'] } as const;

export function site({ on, db }: Services): void {
  on(
    readHome,
    async () => {
      const found = await queryOne<Answer<typeof readHome>>(db)`
        select nullif(headline, '') as headline, nullif(welcome, '') as welcome,
          coalesce(banners, '[null, null, null, null]') as banners,
          coalesce(sponsors, '[]') as sponsors, coalesce(faq, '[]') as faq from academy`;
      const home = withoutNulls(found ?? fail('UNAVAILABLE'));
      const sponsors = home.sponsors.map(({ name, picture, link }) =>
        link ? { name, picture, link } : { name, picture },
      );
      return { ...home, sponsors };
    },
    kept,
  );

  on(previewPage, ({ text }) => Promise.resolve({ html: htmlOf(text) }));

  on(
    readPage,
    async ({ name }) => {
      const row = await db.selectFrom('academy').select(name).executeTakeFirst();
      const text = row?.[name];
      if (!text) fail('NOT_FOUND');
      return { html: htmlOf(text) };
    },
    kept,
  );
}
