// Every mail, with sample data and with hostile data: text and HTML say the same, and what people
// wrote is neither markup nor a link.
import { expect, it } from 'vitest';
import { mailHtml, mailLook } from './html.ts';
import { plainLook } from './mail.ts';
import * as classes from '../classes/texts.ts';
import * as family from '../people/texts.ts';
import * as identity from '../signin/texts.ts';
import * as money from '../checkout/texts.ts';
import * as lists from '../checkout/waiting/texts.ts';
import * as office from '../academy/texts.ts';
import { samples } from '../testing/mailsamples.ts';

const academy = { brand: 'Rally', publicUrl: 'https://rally.test', timeZone: 'Europe/Lisbon' };
const look = plainLook({ mailFrom: '"Rally" <x@rally.test>', contactEmail: null, ...academy });
const all = Object.entries(samples(academy));

const textIn = (html: string) =>
  html
    .replace(/<(style|title)[\s\S]*?<\/\1>/g, '')
    .replace(/<br\/?>|<\/(p|td|h1|tr)>/g, ' ')
    .replace(/<[^>]+>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');

it('there is a sample of every mail', () => {
  const functions = [classes, family, identity, lists, money, office].flatMap((file) =>
    Object.entries(file).flatMap(([name, value]) =>
      typeof value === 'function' && name !== 'changeInWords' ? [name] : [],
    ),
  );
  expect(new Set(all.map(([name]) => name.split(' ')[0]))).toEqual(new Set(functions));
});

it.each(all)('%s: one button, the same words, links to our own pages', (name, message) => {
  const { text, parts } = message;
  const html = mailHtml(message, look);
  // A mail that only says something has none.
  const buttons = parts.filter((part) => typeof part === 'object' && 'button' in part);
  expect(buttons).toHaveLength(['blockedMail', 'addressChangedMail'].includes(name) ? 0 : 1);
  const words = parts.flatMap((part) => {
    if (typeof part === 'string') return [part];
    if ('facts' in part) return part.facts.map(([, value]) => value);
    if ('seats' in part) return part.seats.flatMap(({ title, lines }) => [title, ...lines]);
    return 'lines' in part ? part.lines : 'quote' in part ? part.quote.split('\n') : [];
  });
  const shown = textIn(html);
  for (const one of words) expect(shown).toContain(one.replace(/\s+/g, ' '));
  for (const one of words) expect(text).toContain(one);
  const hrefs = parts.flatMap((part) =>
    typeof part === 'object' && 'href' in part ? [part.href] : [],
  );
  for (const href of hrefs) expect(text).toContain(`\n${href}\n`);
  const links = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link = '']) => link);
  for (const link of links) expect(new URL(link).origin).toBe(academy.publicUrl);
  expect(text.endsWith(`\n\n${academy.brand}`) || text.endsWith(academy.publicUrl)).toBe(true);
  expect(html).not.toContain('preload');
  // Gmail cuts off what is longer than 102 kB.
  expect(html.length).toBeLessThan(60_000);
});

it('words of people are text: no markup, no link', () => {
  const evil = 'Ada <img src=x onerror=alert(1)>\nevil.example/pay https://evil.example';
  const from = { id: 'coach', name: evil, email: 'coach@example.com' };
  const message = classes.announcementMail(
    academy,
    { email: 'a@example.com', name: evil },
    { className: evil, subject: evil, words: evil, from },
  );
  const html = mailHtml(message, look);
  expect(html).not.toMatch(/<img src=x|onerror=alert\(1\)>|href="[^"]*evil/);
  const quote = message.parts.find((part) => typeof part === 'object' && 'quote' in part);
  expect(quote).toEqual({
    quote: 'Ada <img src=x onerror=alert(1)>\nevil.example/pay https: //evil.example',
  });
  expect(message.subject).not.toContain('\n');
});

it('a digest ends after 20', () => {
  const admin = { id: 'admin', email: 'a@example.com', name: 'Ada' };
  const many = (count: number) =>
    office.classesMail(
      academy,
      admin,
      Array.from({ length: count }, (_, n) => ({ subject: `c${n}`, words: `Class ${n}` })),
    ).text;
  expect(many(23)).toContain('\n\nAnd 3 more.\n\n');
  expect(many(20)).not.toContain('more.');
});

it('the sign of a mail is the logo, else the icon, else our ball', () => {
  const own = { logo: null, icon: null, primary: null, accent: null };
  const plain = { name: 'Ace', email: null, street: null, city: null, country: null, ...own };
  const logoOf = (given: Partial<Record<keyof typeof own, string>>) => {
    const worn = { ...look, ...mailLook({ ...plain, ...given }, 'https://rally.test') };
    const html = mailHtml({ subject: 'Hello', parts: ['Hello'] }, worn);
    return /<img src="https:\/\/rally\.test([^"]*)"/.exec(html)?.[1] ?? null;
  };
  expect(logoOf({ logo: '/media/a.webp', icon: '/media/b.webp' })).toBe('/media/a.webp');
  expect(logoOf({ icon: '/media/b.webp', primary: '#6d28d9' })).toBe('/media/b.webp');
  expect(logoOf({})).toBe('/media/mail/logo.png');
  expect(logoOf({ primary: '#6d28d9' })).toBe(null);
});
