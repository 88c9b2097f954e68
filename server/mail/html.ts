// The HTML of a mail: tables and inline styles, because mail programs know little else. Written when a
// mail is sent, never in the request that causes it (decision 57).
import { ownColours, paletteOf } from '../../contract/platform/contrast.ts';
import { escapeHtml } from '../../contract/platform/rules.ts';
import type { Academy } from '../platform/db/academy.ts';
import type { Part } from './text.ts';

export interface Look {
  brand: string;
  publicUrl: string;
  contact: string | null;
  /** The address of a PNG, JPEG or WebP: mail programs do not show SVG. Null: the name alone. */
  logo: string | null;
  /** Colours of a button on light and on dark ground, and of what is written on it. */
  button: { light: string; onLight: string; dark: string; onDark: string };
  address?: string;
}

/** The colours of the site (web/app/styles.css). */
export const ourLook = { light: '#0b5d4e', onLight: '#ffffff', dark: '#5fd3b4', onDark: '#04231c' };

type Seen = Pick<
  Academy,
  'name' | 'logo' | 'icon' | 'primary' | 'accent' | 'email' | 'street' | 'city' | 'country'
>;

export function mailLook(academy: Seen, publicUrl: string): Partial<Look> {
  const { name, email, street, city, country } = academy;
  const picture = academy.logo ?? academy.icon;
  const { light, dark } = paletteOf({
    primary: academy.primary ?? ownColours.primary,
    accent: academy.accent ?? ownColours.accent,
  });
  const address = [street, city, country].filter(Boolean).join(', ');
  return {
    brand: name,
    contact: email,
    ...(picture && { logo: shownByMailPrograms(new URL(picture, publicUrl).href) }),
    // The picture of our ball has our colours.
    ...(!picture && (academy.primary || academy.accent) && { logo: null }),
    button: {
      light: light.primary,
      onLight: light.primaryContent,
      dark: dark.primary,
      onDark: dark.primaryContent,
    },
    ...(address && { address }),
  };
}

/** Of our own pictures there is a WebP for each AVIF, which few mail programs know. */
const shownByMailPrograms = (address: string) => address.replace(/\.avif$/, '.webp');

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

/** What is not to be escaped again. */
class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | Html | readonly Value[] | null | undefined | false;

const textOf = (value: Value): string => {
  if (value instanceof Html) return value.text;
  if (typeof value === 'string') return escapeHtml(value);
  return value ? value.map(textOf).join('') : '';
};

/** Every value is escaped that is not itself made by this. */
const markup = (parts: TemplateStringsArray, ...values: Value[]) =>
  new Html(String.raw({ raw: parts }, ...values.map(textOf)));

const ink = '#14213d';
const muted = '#586174';
const line = '#e5ddcc';
const ground = 'background:#f6f1e6';
const font = "font-family:Figtree, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
const said = `${font};line-height:1.55;overflow-wrap:anywhere`;

interface Letter {
  subject: string;
  parts: readonly Part[];
}

export function mailHtml({ subject, parts }: Letter, look: Look): string {
  const title = subject.replace(/\s+/g, ' ');
  const words = parts.filter((part) => typeof part === 'string');
  // What a list of mails shows after the subject.
  const preview = (words[1] ?? words[0] ?? '').slice(0, 140);
  const card = markup`<td class="card" style="background:#fffdf8;border:1px solid ${line};border-radius:16px;padding:32px 32px 14px">
<h1 class="ink title" style="${font};color:${ink};font-size:25px;line-height:1.25;font-weight:700;letter-spacing:-0.01em;margin:0 0 20px;overflow-wrap:anywhere">${title}</h1>
${parts.map((part) => shown(part, look))}</td>`;
  const rows = [
    markup`<td style="padding:0 8px 18px">${header(look)}</td>`,
    card,
    markup`<td style="padding:18px 8px 0">${footer(look)}</td>`,
  ];
  const column = markup`<td align="center" style="padding:28px 12px">${table(rows, 'max-width:600px;margin:0 auto')}</td>`;
  // Addresses, dates and numbers that people wrote are not made links.
  return markup`<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${title}</title><style>${new Html(dark(look))}</style></head>
<body class="page" style="margin:0;padding:0;${ground}">
<div style="display:none;overflow:hidden;line-height:1px;max-height:0;max-width:0;opacity:0">${preview}</div>
${table([column], ground, 'page')}</body></html>`.text;
}

const table = (cells: readonly Html[], style: string, kind = '') =>
  markup`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="${kind}" style="width:100%;border-collapse:separate;${style}"><tbody>${cells.map((cell) => markup`<tr>${cell}</tr>`)}</tbody></table>`;

function header({ brand, publicUrl, logo }: Look) {
  // A wide logo keeps its shape: Outlook goes by the height alone, others by the style.
  const sign =
    logo &&
    markup`<img src="${logo}" alt="" height="36" style="width:auto;height:auto;max-width:160px;max-height:36px;vertical-align:middle;border:0;border-radius:8px;margin-right:10px">`;
  return markup`<a href="${publicUrl}" class="ink" style="color:${ink};${font};font-size:17px;font-weight:700;line-height:36px;text-decoration:none">${sign}${brand}</a>`;
}

function footer({ brand, publicUrl, contact, address }: Look) {
  const small = (words: Value) =>
    markup`<p class="muted" style="${said};color:${muted};font-size:13px;margin:0 0 4px">${words}</p>`;
  const link = (href: string, words: string) =>
    markup`<a href="${href}" class="muted" style="color:${muted}">${words}</a>`;
  return [
    contact && small(markup`Questions? Write to ${link(`mailto:${contact}`, contact)}.`),
    small([link(publicUrl, brand), address && ` · ${address}`]),
  ];
}

const withBreaks = (words: string): Value =>
  words.split('\n').map((one, n) => [n > 0 && markup`<br>`, one]);

const paragraph = (words: Value, size = 16, colour = ink) =>
  markup`<p class="${colour === ink ? 'ink' : 'muted'}" style="${said};font-size:${`${size}`}px;color:${colour};margin:0 0 16px">${words}</p>`;

const above = (n: number) => (n > 0 ? `;border-top:1px solid ${line}` : '');

function shown(part: Part, { button }: Look): Value {
  if (typeof part === 'string') return paragraph(withBreaks(part));
  if ('small' in part) return paragraph(withBreaks(part.small), 14, muted);
  if ('facts' in part) {
    const rows = part.facts.map(
      ([label, value], n) =>
        markup`<tr><td class="muted line label" width="112" style="${said};padding:7px 14px 7px 0;vertical-align:top${above(n)};color:${muted};font-size:14px;width:112px">${label}</td>
<td class="ink line" style="${said};padding:7px 0;vertical-align:top${above(n)};color:${ink};font-size:15px;font-weight:600">${withBreaks(value)}</td></tr>`,
    );
    return markup`<table width="100%" cellpadding="0" cellspacing="0" border="0" style="width:100%;margin:0 0 20px;border-collapse:separate"><tbody>${rows}</tbody></table>`;
  }
  if ('lines' in part) {
    const cells = part.lines.map(
      (one, n) =>
        markup`<td class="ink line" style="${said};font-size:16px;padding:9px 0;color:${ink}${above(n)}">${one}</td>`,
    );
    return table(cells, 'margin:0 0 18px');
  }
  if ('quote' in part) {
    const cell = markup`<td class="panel ink quote" style="${said};font-size:16px;color:${ink};${ground};border-left:4px solid ${button.light};border-radius:8px;padding:14px 16px">${withBreaks(part.quote)}</td>`;
    return table([cell], 'margin:0 0 20px');
  }
  if ('button' in part) {
    const cell = markup`<td><a href="${part.href}" class="button" style="display:inline-block;background:${button.light};color:${button.onLight};border-radius:10px;${font};font-size:16px;font-weight:600;line-height:20px;padding:14px 24px;text-align:center;text-decoration:none">${part.button}</a></td>`;
    return table([cell], 'margin:6px 0 22px');
  }
  if ('link' in part) {
    const { before, href, link } = part;
    const words = markup`<a href="${href}" class="link" style="color:${button.light}">${link}</a>`;
    return paragraph([before && `${before} `, words]);
  }
  const boxes = part.seats.map(({ title, price, lines }) => {
    const more = price && markup`<span style="font-weight:400"> · ${price}</span>`;
    const cell = markup`<td style="padding:12px 16px">
<p class="ink" style="${said};font-size:16px;color:${ink};font-weight:700;margin:0">${title}${more}</p>
${lines.map((one) => markup`<p class="muted" style="${said};color:${muted};font-size:14px;margin:2px 0 0">${one}</p>`)}</td>`;
    return markup`<td style="padding:0 0 10px">${table([cell], `${ground};border-radius:10px`, 'panel')}</td>`;
  });
  return table(boxes, 'margin:0 0 10px');
}
