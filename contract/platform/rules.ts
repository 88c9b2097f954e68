// The field rules that browser and server enforce: lengths, bounds, money, picture URLs, paging.
import * as z from 'zod/mini';
import { isDay } from './days.ts';
import { described } from './described.ts';
import { limits } from './limits.ts';
import { messages } from './messages.ts';

// Controls, line breaks, halves of characters (which PostgreSQL cannot store), and characters that
// have no width or turn the direction of text. The joiners of Persian, Hindi and emoji are kept.
const hidden = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u;
const allHidden = new RegExp(hidden.source, 'gu');

/** Text on one line: for mails, and for names from other providers. */
export const oneLine = (words: string) =>
  words
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(allHidden, '')
    .trim();

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

const severalLines = (words: string) =>
  words
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .replace(allHidden, (found) => (found === '\n' ? found : ''));

/** A name from another provider, changed to fit our rules. */
export function cleanName(words: string): string {
  const plain = oneLine(words.slice(0, limits.name)).normalize('NFC');
  return oneLine(plain.replaceAll('://', ' '));
}

// The length is checked before NFC, too: its time grows with the square of a row of combining marks.
function bounds(max: number) {
  const atMost = z.maxLength(max, { error: `must have at most ${max} characters`, abort: true });
  return [z.trim(), atMost, z.normalize('NFC'), atMost] as const;
}

const atLeast = (min: number) =>
  z.minLength(min, min === 1 ? 'must not be empty' : `must have at least ${min} characters`);

/** One line of plain text: bounded, trimmed, normalised once. */
export const text = (max: number, min = 0) =>
  z.string().check(
    ...bounds(max),
    z.refine(
      (value) => !hidden.test(value),
      'must be one line, without control characters or characters that cannot be seen',
    ),
    atLeast(min),
  );

/** The same in several lines. Invisible characters are removed; PostgreSQL cannot store NUL. */
export const paragraphs = (max: number, min = 0) =>
  z.string().check(
    ...bounds(max),
    z.refine((value) => !value.includes('\u0000'), 'must not contain a NUL character'),
    z.overwrite(severalLines),
    z.trim(),
    atLeast(min),
  );

/** The name of a person. It is written into mails, whose programs make a link of `://`. */
export const personName = (missing = 'must not be empty') =>
  text(limits.name).check(
    z.minLength(1, missing),
    z.refine((value) => !value.includes('://'), 'must not contain a link'),
  );

export const email = described(
  text(limits.email, 1).check(
    z.toLowerCase(),
    z.regex(z.regexes.email, 'must be an email address'),
  ),
  { type: 'string', format: 'email', maxLength: limits.email },
);

/** The end of a deleted account's address. No such domain can exist (RFC 2606). */
export const deletedDomain = '@deleted.invalid';
export const isDeletedAddress = (address: string) => address.endsWith(deletedDomain);
/** If the address of a deleted account could sign up, that account could not be deleted. */
export const notDeleted = (words = 'must be an email address') =>
  z.refine<string>((value) => !isDeletedAddress(value), words);

/** In small letters, as PostgreSQL returns it: ids are also compared as text. */
export const id = z.uuid('must be an id').check(z.toLowerCase());

/** '19.99' or 19.99 as 1999: from digits, never in floating point. Null: no amount. */
export function cents(amount: string | number): number | null {
  const digits = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(String(amount).trim());
  return digits ? Number(digits[1]) * 100 + Number((digits[2] ?? '').padEnd(2, '0')) : null;
}

export const dollars = (amount: number) => amount / 100;

/** Money in our own calls. */
export const centsUpTo = (
  most: number,
  least = 0,
  outside = `must be between ${least} and ${most}`,
) => z.int('must be a number of cents').check(z.minimum(least, outside), z.maximum(most, outside));

const noAmount = 'must be an amount such as 19.99';
/** In the specified calls: an amount with at most two places in, integer cents out. */
export const price = described(
  z.pipe(
    z.union([z.string().check(z.maxLength(20, noAmount)), z.number()], noAmount).check(
      z.refine((value) => {
        const whole = cents(value);
        return whole !== null && whole >= limits.price.minCents && whole <= limits.price.maxCents;
      }, 'must be between 0.50 and 10000.00, with at most two decimal places'),
    ),
    z.transform((value) => cents(value) ?? 0),
  ),
  {
    type: 'number',
    minimum: limits.price.minCents / 100,
    maximum: limits.price.maxCents / 100,
    description: "In the academy's currency, with at most two decimal places.",
  },
);

/**
 * Null for what is no https address. The parser's time grows with the square of the length of a host
 * in Han characters, and no host has more than 253.
 */
export function webAddress(value: string): URL | null {
  const host = /^https:\/\/([^/?#\\]+)/i.exec(value)?.[1];
  if (host === undefined || host.length > 300) return null;
  return URL.canParse(value) ? new URL(value) : null;
}

/** The server never fetches a picture. It is https on a public host, or ours under /media. */
export function isPictureAddress(value: string): boolean {
  if (/^\/media\/[\w-]+\/[\w.-]+$/.test(value)) return true;
  // The raw text, before the parser decodes it: an encoded or ideographic dot is refused.
  const written = /^https:\/\/([^/?#\\]+)/i.exec(value)?.[1] ?? '%';
  if (/[%。．｡]/.test(written) || /\p{Cc}/u.test(value)) return false;
  const url = webAddress(value);
  if (!url || url.username || url.password) return false;
  const { hostname, pathname } = url;
  const numericHost = /^[\d.]+$|^\[/.test(hostname);
  const publicHost =
    /\.[^.]+$/.test(hostname) &&
    !/\.(localhost|local|localdomain|internal|intranet|lan|home|corp|private|arpa)$/.test(hostname);
  const path = pathname.replace(/%([\da-f]{2})/gi, (_code, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return !numericHost && publicHost && !/\.svgz?\p{Cc}*$/iu.test(path);
}

export const picture = text(limits.url, 1).check(
  z.refine(isPictureAddress, 'must be an https:// address of a picture (no SVG, no IP address)'),
);

/** Of a person, as the form of a new member says it. */
export const photo = text(limits.url).check(
  z.minLength(1, { error: messages.photoRequired, abort: true }),
  z.refine(isPictureAddress, 'Photo URL must be an https:// address of a picture'),
);

/** Of a form whose fields may all be left out. */
export const anyChange = z.refine<object>(
  (form) => Object.values(form).some((value) => value !== undefined),
  'There is nothing to change',
);

const password = z.string().check(
  z.minLength(1, { error: messages.passwordRequired, abort: true }),
  z.minLength(limits.password.min, { error: messages.passwordShort, abort: true }),
  z.maxLength(limits.password.max, { error: messages.passwordLong, abort: true }),
  z.refine(
    (value) => [/[A-Z]/, /[a-z]/, /\d/, /[!@#$&*]/].every((kind) => kind.test(value)),
    messages.passwordClasses,
  ),
);

const strictPassword = z
  .string()
  .check(
    z.minLength(1, { error: messages.passwordRequired, abort: true }),
    z.minLength(8, 'Password must have at least 8 characters'),
    z.maxLength(128, 'Password must have at most 128 characters'),
  );

/** The rule of section 5; with STRICT_PASSWORDS a rule of length only. */
export const newPassword = (strict: boolean) => (strict ? strictPassword : password);

/** The specification does not ask for equal passwords; we do. */
const same = z.refine<{ password: string; confirmPassword: string }>(
  (form) => form.password === form.confirmPassword,
  {
    path: ['confirmPassword'],
    error: 'The two passwords are not the same',
  },
);

export const newPasswords = (strict: boolean) =>
  z.object({ password: newPassword(strict), confirmPassword: z.string() }).check(same);

export const joining = (strict: boolean) =>
  z
    .object({
      name: personName(messages.nameRequired),
      password: newPassword(strict),
      confirmPassword: z.string(),
    })
    .check(same);

export const signUp = (strict: boolean) =>
  z
    .object({
      name: personName(messages.nameRequired),
      image: photo,
      email: text(limits.email).check(
        z.minLength(1, { error: messages.emailRequired, abort: true }),
        z.toLowerCase(),
        z.regex(z.regexes.email, 'Please enter a valid email address'),
      ),
      password: newPassword(strict),
      confirmPassword: z.string(),
    })
    .check(same);

export const wholeNumber = (max: number, noNumber = 'must be a whole number', min = 1) =>
  described(
    z.pipe(
      z.union([z.string().check(z.regex(/^\d{1,7}$/, noNumber)), z.number()], noNumber),
      z.pipe(
        z.transform(Number),
        z
          .int(noNumber)
          .check(
            z.minimum(min, `must be at least ${min}`),
            z.maximum(max, `must be at most ${max}`),
          ),
      ),
    ),
    { type: 'integer', minimum: min, maximum: max },
  );

export const seats = wholeNumber(limits.seats.max, 'must be a whole number of seats');

/** The parameters of every list. The default is all rows up to the page size. */
export const paging = {
  page: z.optional(wholeNumber(100_000)),
  limit: z.optional(wholeNumber(limits.pageSize)),
};

interface Slice {
  page?: number | undefined;
  limit?: number | undefined;
}

export const slice = ({ page = 1, limit = limits.pageSize }: Slice) => ({
  limit,
  offset: (page - 1) * limit,
});

export const search = z.optional(paragraphs(100));

export const instant = described(
  z.string().check(
    z.regex(
      /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-](0\d|1[0-4]):[0-5]\d)$/,
      'must be a time such as 2027-01-31T16:00:00Z',
    ),
    // JavaScript reads 31 February as 3 March; the database refuses it.
    z.refine(
      (value) => !Number.isNaN(Date.parse(value)) && isDay(value.slice(0, 10)),
      'must be a time',
    ),
  ),
  { type: 'string', format: 'date-time' },
);
