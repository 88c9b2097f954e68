// The HTML of a mail: React components in tables and inline styles, because mail programs know
// little else. Rendered when a mail is sent, never in the request that causes it (decision 57).
import { createElement as h, Fragment, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Part } from './text.ts';
import {
  FactTable,
  font,
  ink,
  line,
  LineList,
  muted,
  paragraph,
  QuoteBox,
  Rows,
  SeatList,
  withBreaks,
  Words,
} from './parts.ts';

/** How the academy's mails look. */
export interface Look {
  brand: string;
  publicUrl: string;
  contact: string | null;
  /** The address of a PNG, JPEG or WebP: mail programs do not show SVG. Null: the name alone. */
  logo: string | null;
  /** Colours of a button on light and on dark ground, and of what is written on it. */
  button: { light: string; onLight: string; dark: string; onDark: string };
  /** Street, city: the last line. */
  address?: string;
}

/** The colours of the site (web/app/styles.css). */
export const ourLook = { light: '#0b5d4e', onLight: '#ffffff', dark: '#5fd3b4', onDark: '#04231c' };

const dark = ({ button }: Look) => `
a { text-decoration: underline; }
@media (prefers-color-scheme: dark) {
.page { background: #0a1311 !important; }
.card { background: #0e1a17 !important; border-color: #22352f !important; }
.ink { color: #eaf2ec !important; }
.muted { color: #a9b8b0 !important; }
.line { border-color: #22352f !important; }
.panel { background: #14241f !important; }
.link { color: ${button.dark} !important; }
.quote { border-color: ${button.dark} !important; }
.button { background: ${button.dark} !important; color: ${button.onDark} !important; }
}
@media (max-width: 480px) {
.card { padding: 24px 20px 10px !important; }
.label { width: 92px !important; }
.title { font-size: 22px !important; }
.button { display: block !important; }
}`;

export function mailHtml(
  { subject, parts }: { subject: string; parts: readonly Part[] },
  look: Look,
): string {
  const title = subject.replace(/\s+/g, ' ');
  const html = renderToStaticMarkup(h(Frame, { subject: title, parts, look }));
  // React asks a browser to fetch images early; a mail program must not be asked.
  return `<!doctype html>${html.replace(/<link rel="preload"[^>]*>/g, '')}`;
}

interface FrameProps {
  subject: string;
  parts: readonly Part[];
  look: Look;
}

function Frame({ subject, parts, look }: FrameProps) {
  const head = h(
    'head',
    null,
    h('meta', { charSet: 'utf-8' }),
    h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    h('meta', { name: 'color-scheme', content: 'light dark' }),
    h('meta', { name: 'supported-color-schemes', content: 'light dark' }),
    // Addresses, dates and numbers that people wrote are not made links.
    h('meta', {
      name: 'format-detection',
      content: 'telephone=no,date=no,address=no,email=no,url=no',
    }),
    h('title', null, subject),
    h('style', null, dark(look)),
  );
  const body = h(
    'body',
    { className: 'page', style: { margin: 0, padding: 0, background: '#f6f1e6' } },
    h(Preview, { parts }),
    h(
      Rows,
      { className: 'page', style: { background: '#f6f1e6' } },
      h(
        'td',
        { align: 'center', style: { padding: '28px 12px' } },
        h(
          Rows,
          { style: { maxWidth: 600, margin: '0 auto' } },
          h('td', { style: { padding: '0 8px 18px' } }, h(Header, { look })),
          h(Card, { subject }, ...parts.map((part, n) => h(Shown, { key: n, part, look }))),
          h('td', { style: { padding: '18px 8px 0' } }, h(Footer, { look })),
        ),
      ),
    ),
  );
  return h('html', { lang: 'en' }, head, body);
}

/** What a list of mails shows after the subject. */
function Preview({ parts }: { parts: readonly Part[] }) {
  const words = parts.filter((part) => typeof part === 'string');
  return h(
    'div',
    {
      style: {
        display: 'none',
        overflow: 'hidden',
        lineHeight: '1px',
        maxHeight: 0,
        maxWidth: 0,
        opacity: 0,
      },
    },
    (words[1] ?? words[0] ?? '').slice(0, 140),
  );
}

function Header({ look }: { look: Look }) {
  const { brand, publicUrl, logo } = look;
  return h(
    'a',
    {
      href: publicUrl,
      className: 'ink',
      style: {
        color: ink,
        fontFamily: font,
        fontSize: 17,
        fontWeight: 700,
        lineHeight: '36px',
        textDecoration: 'none',
      },
    },
    // A wide logo keeps its shape: Outlook goes by the height alone, others by the style.
    logo &&
      h('img', {
        src: logo,
        alt: '',
        height: 36,
        style: {
          width: 'auto',
          height: 'auto',
          maxWidth: 160,
          maxHeight: 36,
          verticalAlign: 'middle',
          border: 0,
          borderRadius: 8,
          marginRight: 10,
        },
      }),
    brand,
  );
}

function Card({ subject, children }: { subject: string; children?: ReactNode }) {
  return h(
    'td',
    {
      className: 'card',
      style: {
        background: '#fffdf8',
        border: `1px solid ${line}`,
        borderRadius: 16,
        padding: '32px 32px 14px',
      },
    },
    h(
      'h1',
      {
        className: 'ink title',
        style: {
          color: ink,
          fontFamily: font,
          fontSize: 25,
          lineHeight: 1.25,
          fontWeight: 700,
          letterSpacing: '-0.01em',
          margin: '0 0 20px',
          overflowWrap: 'anywhere',
        },
      },
      subject,
    ),
    children,
  );
}

function Shown({ part, look }: { part: Part; look: Look }) {
  if (typeof part === 'string') return h(Words, null, withBreaks(part));
  if ('small' in part) return h(Words, { quiet: true }, withBreaks(part.small));
  if ('facts' in part) return h(FactTable, part);
  if ('lines' in part) return h(LineList, part);
  if ('quote' in part) return h(QuoteBox, { words: part.quote, colour: look.button.light });
  if ('button' in part) return h(ButtonLink, { label: part.button, href: part.href, look });
  if ('seats' in part) return h(SeatList, part);
  return h(
    Words,
    null,
    part.before && `${part.before} `,
    h('a', { href: part.href, className: 'link', style: { color: look.button.light } }, part.link),
  );
}

function ButtonLink({ label, href, look }: { label: string; href: string; look: Look }) {
  return h(
    Rows,
    { style: { margin: '6px 0 22px' } },
    h(
      'td',
      null,
      h(
        'a',
        {
          href,
          className: 'button',
          style: {
            display: 'inline-block',
            background: look.button.light,
            color: look.button.onLight,
            borderRadius: 10,
            fontFamily: font,
            fontSize: 16,
            fontWeight: 600,
            lineHeight: '20px',
            padding: '14px 24px',
            textAlign: 'center',
            textDecoration: 'none',
          },
        },
        label,
      ),
    ),
  );
}

function Footer({ look }: { look: Look }) {
  const { brand, publicUrl, contact, address } = look;
  const small = { ...paragraph, color: muted, fontSize: 13, margin: '0 0 4px' };
  const link = { className: 'muted', style: { color: muted } };
  return h(
    Fragment,
    null,
    contact &&
      h(
        'p',
        { className: 'muted', style: small },
        'Questions? Write to ',
        h('a', { href: `mailto:${contact}`, ...link }, contact),
        '.',
      ),
    h(
      'p',
      { className: 'muted', style: small },
      h('a', { href: publicUrl, ...link }, brand),
      address && ` · ${address}`,
    ),
  );
}
