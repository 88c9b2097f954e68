// What every mail has in common: the greeting, names and amounts as they are written, the closing.
// The mails themselves are in the other files of this folder, one function for each.
import { dollars, oneLine } from '../../contract/platform/rules.ts';
import { type Part, textOf } from './text.ts';
import type { Message } from './mail.ts';

export interface MailBrand {
  brand: string;
  publicUrl: string;
  timeZone?: string | null;
  currency?: string | null;
  /** BCP 47, of figures alone; null: English. */
  locale?: string | null;
}

export interface Greeted {
  id: string;
  email: string;
  name: string;
  /** The address is its owner's. */
  proven: boolean;
}

/** Without `proven` the address is: it is of somebody who teaches, of the office, or invited. */
export type Addressed = Pick<Greeted, 'email' | 'name'> & Partial<Pick<Greeted, 'proven'>>;

export type Text<Given> = (academy: MailBrand, person: Addressed, given: Given) => Message;

/**
 * Leaves out the name of an account that is not proven: a stranger may have chosen it for the owner of
 * the address, or the address is mistyped and its owner is a stranger.
 */
const hello = ({ name, proven = true }: Addressed) =>
  proven ? `Hello ${oneLine(name)},` : 'Hello,';

/** Names of people: `Mia, Leo and Ana`. */
export const inWords = (names: readonly string[]) =>
  new Intl.ListFormat('en-GB').format(names.map(oneLine));

/**
 * What a mail to this person calls children of the family. Nobody knows who reads an address that is
 * not proven: it gets no name of a child.
 */
export function childrenInWords(
  { proven = true }: Pick<Addressed, 'proven'>,
  names: readonly string[],
  your: 'your' | 'Your' = 'your',
): string {
  if (proven) return inWords(names);
  return names.length > 1 ? `${your} children` : `${your} child`;
}

/** Several lines that a person wrote. Mail programs make a link of `://`: a space keeps it text. */
export const unlinkedLines = (words: string) =>
  words
    .split('\n')
    .map((line) => oneLine(line).replaceAll('://', ': //'))
    .join('\n')
    .trim();

export const amount = ({ currency, locale }: MailBrand, cents: number) =>
  new Intl.NumberFormat(locale ?? 'en-US', {
    style: 'currency',
    currency: currency ?? 'usd',
  }).format(dollars(cents));

const written = (style: Intl.DateTimeFormatOptions, timeZone = 'UTC') =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone, ...style });

/** '16 Nov 2026' where the academy is. */
export const dayOf = ({ timeZone }: MailBrand, date: Date) =>
  written({}, timeZone ?? undefined).format(date);

/** '16 Nov 2026, 16:30' where the academy is. */
export const momentOf = ({ timeZone }: MailBrand, date: Date) =>
  written({ timeStyle: 'short' }, timeZone ?? undefined).format(date);

interface Written extends Omit<Message, 'text' | 'parts'> {
  parts: readonly (Part | null | false)[];
}

function mailOf({ brand }: MailBrand, { parts, ...message }: Written): Message {
  const kept = parts.filter((part) => part !== null && part !== false && part !== '') as Part[];
  return { ...message, text: `${textOf(kept)}\n\n${brand}`, parts: kept };
}

export function signed({ brand, publicUrl }: MailBrand, written: Written): Message {
  return mailOf({ brand: `${brand}\n${publicUrl}`, publicUrl }, written);
}

type Head = string | Omit<Written, 'to' | 'parts'>;

const greeting =
  (sign: typeof mailOf) =>
  (academy: MailBrand, to: Addressed, head: Head, parts: Written['parts']) => {
    const written = typeof head === 'string' ? { subject: head } : head;
    return sign(academy, { ...written, to: to.email, parts: [hello(to), ...parts] });
  };

export const letter = greeting(mailOf);
export const accountLetter = greeting(signed);

export const toPage = ({ publicUrl }: MailBrand, button: string, path: string, says?: string) => ({
  button,
  href: `${publicUrl}${path}`,
  ...(says && { says }),
});

export const toCalendar = (academy: MailBrand, says = 'Your calendar:') =>
  toPage(academy, 'Show the calendar', '/dashboard/calendar', says);

export function factsOf(
  facts: readonly (readonly [string, string | null | undefined])[],
): Part | null {
  const given = facts.filter((fact): fact is readonly [string, string] => Boolean(fact[1]));
  return given.length > 0 ? { facts: given } : null;
}
