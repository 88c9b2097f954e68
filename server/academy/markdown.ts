// Markdown of the academy's pages as HTML of a safe subset: headings, paragraphs, lists, quotes,
// tables, links, emphasis. HTML in it stays text; links lead to https, mail, phone or our own pages.
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
