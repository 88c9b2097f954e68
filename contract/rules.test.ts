import { describe, expect, it } from 'vitest';
import type { $ZodType } from 'zod/v4/core';
import { safeParse } from 'zod/v4/core';
import { messages } from './messages.ts';
import {
  cents,
  dollars,
  email,
  id,
  instant,
  isPictureAddress,
  newPassword,
  newPasswords,
  paging,
} from './rules.ts';
import {
  oneLine,
  paragraphs,
  picture,
  price,
  seats,
  signUp,
  slice,
  text,
  unlinked,
} from './rules.ts';

const hiddenWords =
  'must be one line, without control characters or characters that cannot be seen';

/** The messages for a value; empty when it is valid. */
const told = (rule: $ZodType, value: unknown) =>
  safeParse(rule, value).error?.issues.map(({ message }) => message) ?? [];
/** The same for a form, each message with its field. */
const toldAt = (rule: $ZodType, form: unknown) =>
  safeParse(rule, form).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ??
  [];

describe('an amount of money', () => {
  it.each([
    ['19.99', 1_999],
    [19.99, 1_999],
    ['0.07', 7],
    ['1.1', 110],
    [' 25 ', 2_500],
    ['0', 0],
    ['999999999.99', 99_999_999_999],
    [0.29, 29],
    [1.15, 115],
  ])('%s is %s cents', (amount, whole) => {
    expect(cents(amount)).toBe(whole);
    expect(dollars(whole)).toBe(Number(amount));
  });

  it.each([
    '',
    'abc',
    '-1',
    '1.',
    '.5',
    '1.999',
    '1e3',
    '1,50',
    '$5',
    '1 000',
    '0x10',
    '9999999999',
    'x19.99',
    '19.99x',
  ])('%j is none', (text) => expect(cents(text)).toBeNull());
  it.each([Number.NaN, Infinity, -1, 1e21, 0.001])('%d is none', (number) =>
    expect(cents(number)).toBeNull(),
  );
});

describe('a price', () => {
  it.each([
    ['0.50', 50],
    ['10000.00', 1_000_000],
    [10_000, 1_000_000],
    [0.5, 50],
  ])('may be %s', (value, whole) => expect(price.parse(value)).toBe(whole));

  it.each(['0.49', '10000.01', 0.49, 10_000.01, '5.001', 'free', '-5'])(
    'may not be %s, and says what it may be',
    (value) =>
      expect(told(price, value)).toEqual([
        'must be between 0.50 and 10000.00, with at most two decimal places',
      ]),
  );

  it.each([null, undefined, true, {}, [5], '5'.repeat(21)])('is not %j', (value) =>
    expect(told(price, value)[0]).toBe('must be an amount such as 19.99'),
  );
});

describe('a number of seats', () => {
  it.each([
    [1, 1],
    ['1', 1],
    ['10000', 10_000],
    [10_000, 10_000],
  ])('may be %j', (value, whole) => expect(seats.parse(value)).toBe(whole));

  it.each([1.5, '1.5', '-1', '', 'five', 'x5', '5x', '1e2', '1234567', null, true])(
    'is not %j',
    (value) => expect(told(seats, value)).toEqual(['must be a whole number of seats']),
  );

  it.each([
    [0, 'must be at least 1'],
    ['0', 'must be at least 1'],
    [-1, 'must be at least 1'],
    [10_001, 'must be at most 10000'],
    ['10001', 'must be at most 10000'],
  ])('may not be %j', (value, words) => expect(told(seats, value)).toEqual([words]));
});

describe('a page', () => {
  it('is the first and has the maximum size by default', () => {
    expect(slice({})).toEqual({ limit: 100, offset: 0 });
    expect(slice({ page: 3, limit: 24 })).toEqual({ limit: 24, offset: 48 });
  });

  it.each([
    ['page', '100000', []],
    ['page', 100_001, ['must be at most 100000']],
    ['page', 0, ['must be at least 1']],
    ['page', 1.5, ['must be a whole number']],
    ['page', 'two', ['must be a whole number']],
    ['page', '2x', ['must be a whole number']],
    ['page', 'x2', ['must be a whole number']],
    ['page', null, ['must be a whole number']],
    ['page', undefined, []],
    ['limit', 100, []],
    ['limit', '101', ['must be at most 100']],
    ['limit', '12345678', ['must be a whole number']],
    ['limit', undefined, []],
  ] as const)('of %s %j', (name, value, words) => expect(told(paging[name], value)).toEqual(words));
});

describe('a text', () => {
  it('is trimmed and normalised', () => {
    expect(safeParse(text(10), '  a\u0301 ').data).toBe('\u00e1');
  });

  it.each([
    [text(3), 'abc', []],
    [text(3), '', []],
    [text(3), 'abcd', ['must have at most 3 characters']],
    [text(3, 1), ' ', ['must not be empty']],
    [text(3, 2), 'a', ['must have at least 2 characters']],
    [text(3), 'a\u0000', [hiddenWords]],
    [text(3), 'a\n', []],
    [paragraphs(3), 'a\u0000', ['must not contain a NUL character']],
    [paragraphs(3), 'abcd', ['must have at most 3 characters']],
  ])('%#: %j', (rule, value, words) => expect(told(rule, value)).toEqual(words));

  it.each([
    'Ada\nLovelace',
    'Ada\r\n\r\nhttps://evil.example/pay',
    'Ada\tLovelace',
    'Ada\u0085Lovelace',
    'Ada\u2028Lovelace',
    'Ada\u2029Lovelace',
    'Ada\u202Eecalevol',
    'Ada\u2066x\u2069',
    'A\u200Bda',
    'A\u00ADda',
    'A\uFEFFda',
    'A\u2060da',
    'Ada \u200D',
    '\u200CAda',
    'Ada\u3164',
    'A\u{E0041}da',
    'Ada \uD83D',
    '\uDE00Ada',
    'A\u034Fda',
    'A\uFE0Fda',
    '1\uFE0F',
    'A\uFE0F\u200Dda',
    'Ada \u2800',
    'Ada\u17B4',
    'Ada\u180B',
    'Ada\u{E0100}',
  ])('of one line may not be %j', (value) => expect(told(text(100), value)).toEqual([hiddenWords]));

  it.each([
    'Zoë O’Neill-Śmigły',
    'محمد‌رضا',
    'क्‍ष',
    '李小龍',
    'Anna 👩‍👧 Müller',
    'Nº 5 – «Tennis»',
    '葛\u{E0100}飾',
    '❤️‍🔥 🏃🏽‍♂️ 1️⃣',
    'ᠮᠣᠩ᠋',
  ])('of one line may be %j', (value) => expect(safeParse(text(100), value).data).toBe(value));

  it('of several lines keeps its line breaks and loses invisible characters', () => {
    const written = 'One\r\nTwo\rThree\u2028Four\tfive\u202E six\u200B \u0007\uD83Dend';
    expect(safeParse(paragraphs(100), written).data).toBe('One\nTwo\nThree\nFour five six end');
  });

  it('of a stranger becomes one line for a mail', () => {
    expect(oneLine(' Ada\n\nhttps://evil.example/pay\u2028\u202Ex\u200By\t ')).toBe(
      'Ada https://evil.example/pay xy',
    );
  });

  it.each([
    ['Verify at evil.example/pay', 'Verify at evil. example/pay'],
    ['pay.evil.co', 'pay. evil. co'],
    ['a@evil\uFF0Eexample', 'a@evil\uFF0E example'],
    ['evil.भारत', 'evil. भारत'],
    ['evil.c\u034Fom', 'evil. com'],
    ['evil.c\u200Dom', 'evil. c\u200Dom'],
    ['8.8.8.8/pay', '8. 8. 8.8/pay'],
    ['J.R. Smith', 'J.R. Smith'],
    ['Under 3.5', 'Under 3.5'],
    ['Dr. Ana St. John-M.', 'Dr. Ana St. John-M.'],
  ])('that names a person has no domain in a mail: %j', (name, mailed) =>
    expect(unlinked(name)).toBe(mailed),
  );

  it('that is an email address is lowercased', () => {
    expect(safeParse(email, ' Ada@Example.COM ').data).toBe('ada@example.com');
    expect(told(email, 'ada')).toEqual(['must be an email address']);
    expect(told(email, `${'a'.repeat(250)}@x.com`)).toContain('must have at most 254 characters');
  });

  it('that is an id must have the format of an id', () => {
    expect(told(id, '11111111-1111-4111-8111-111111111111')).toEqual([]);
    expect(told(id, '1')).toEqual(['must be an id']);
  });
});

describe('an instant', () => {
  it.each(['2026-02-28T10:00:00Z', '2026-02-28T10:00:00.123456+14:00', '2026-02-28T24:00:00Z'])(
    'is %s',
    (value) => expect(told(instant, value)).toEqual([]),
  );

  it.each([
    '2026-02-31T10:00:00Z',
    '2026-04-31T10:00:00+02:00',
    '2026-02-28T10:00:00+23:00',
    '2026-02-28T10:00:00-16:00',
    '2026-02-28T10:00:00+01:60',
  ])('is not %s, which the database refuses', (value) =>
    expect(told(instant, value)).not.toEqual([]),
  );
});

describe('the address of a picture', () => {
  it.each([
    'https://pictures.example/a.png',
    'https://pictures.example/svg',
    'https://pictures.example/a.svg.png',
    'https://1st.pictures.example/',
    'https://pictures2.example4/a.png',
    'https://local.pictures.example/a.png',
    'https://x.local.example/a.png',
    '/media/class/tennis-2.webp',
    '/media/my-people/p1.svg',
  ])('may be %s', (address) => expect(isPictureAddress(address)).toBe(true));

  it.each([
    '',
    'picture',
    'http://pictures.example/a.png',
    'ftp://pictures.example/a.png',
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    'https://ada@pictures.example/a.png',
    'https://:secret@pictures.example/a.png',
    'https://127.0.0.1/a.png',
    'https://2130706433/a.png',
    'https://[::1]/a.png',
    'https://[fe80::1.2.3.4]/a.png',
    'https://localhost/a.png',
    'https://intranet/a.png',
    'https://app.localhost/a.png',
    'https://printer.local/a.png',
    'https://metadata.internal/a.png',
    'https://pictures.example/a.svg',
    'https://pictures.example/a.SVGZ',
    'https://pictures.example/a%2esvg',
    'https://pictures.example/a.sv%67',
    'https://pictures.example/a.svg%00',
    'https://localhost./a.png',
    'https://intranet./a.png',
    'https://app.localhost./a.png',
    'https://printer.local./a.png',
    'https://metadata.internal./a.png',
    'https://metadata.google.internal/a.png',
    'https://pictures.example./a.png',
    'https://pictures.example../a.png',
    'https://pictures%2eexample/a.png',
    'https://localhost%2e/a.png',
    'https://metadata%2einternal/a.png',
    'https://127.0.0.1./a.png',
    'https://0x7f.1/a.png',
    'https://pictures。example/a.png',
    'https://router.home.arpa/a.png',
    'https://nas.lan/a.png',
    'https://pictures.example\n/a.png',
    '/media/secret',
    '/media/../secret.txt',
    '/media/class/../../secret',
    '/media/cl ass/a.png',
    '/media/class/a.png?x',
    '/elsewhere/media/class/a.png',
    '//evil.example/media/class/a.png',
  ])('may not be %s', (address) => expect(isPictureAddress(address)).toBe(false));

  it('is refused with a message', () => {
    expect(told(picture, 'x')).toEqual([
      'must be an https:// address of a picture (no SVG, no IP address)',
    ]);
    expect(told(picture, '')).toContain('must not be empty');
  });
});

describe('a new password', () => {
  it.each([
    ['Abc12#', []],
    ['Abcdefghijklmnop123#', []],
    ['', [messages.passwordRequired]],
    ['Ab1#x', [messages.passwordShort]],
    ['abc', [messages.passwordShort]],
    ['a'.repeat(21), [messages.passwordLong]],
    ['Abcdefghijklmnop1234#', [messages.passwordLong]],
    ['abc12#', [messages.passwordClasses]],
    ['ABC12#', [messages.passwordClasses]],
    ['Abcde#', [messages.passwordClasses]],
    ['Abc123', [messages.passwordClasses]],
  ])('%j', (value, words) => expect(told(newPassword(false), value)).toEqual(words));

  it.each([
    ['correct horse', []],
    ['x'.repeat(8), []],
    ['x'.repeat(128), []],
    ['', [messages.passwordRequired]],
    ['x'.repeat(7), ['Password must have at least 8 characters']],
    ['x'.repeat(129), ['Password must have at most 128 characters']],
  ])('by the strict rule: %j', (value, words) =>
    expect(told(newPassword(true), value)).toEqual(words),
  );

  it('is typed twice and must be equal', () => {
    const rule = newPasswords(false);
    expect(toldAt(rule, { password: 'Abc12#', confirmPassword: 'Abc12#' })).toEqual([]);
    expect(toldAt(rule, { password: 'Abc12#', confirmPassword: 'Abc12$' })).toEqual([
      'confirmPassword: The two passwords are not the same',
    ]);
    expect(
      toldAt(newPasswords(true), { password: 'correct horse', confirmPassword: 'correct horse' }),
    ).toEqual([]);
  });
});

describe('the form of a new member', () => {
  const form = {
    name: 'Ada',
    image: 'https://pictures.example/ada.png',
    email: 'Ada@Example.com',
    password: 'Abc12#',
    confirmPassword: 'Abc12#',
  };

  it('is valid when every field is; the email is lowercased', () => {
    expect(safeParse(signUp(false), form).data).toEqual({ ...form, email: 'ada@example.com' });
    const strict = { ...form, password: 'correct horse', confirmPassword: 'correct horse' };
    expect(toldAt(signUp(true), strict)).toEqual([]);
  });

  it.each([
    [{ name: ' ' }, [`name: ${messages.nameRequired}`]],
    [{ name: 'x'.repeat(101) }, ['name: must have at most 100 characters']],
    [{ name: 'J. R. R. O’Brien-www' }, []],
    [{ name: 'Click https://evil.example/pay now' }, ['name: must not contain a link']],
    [{ name: 'See WWW.evil.example' }, ['name: must not contain a link']],
    [{ name: 'See ｈttps：／／evil.example' }, ['name: must not contain a link']],
    [{ image: '' }, [`image: ${messages.photoRequired}`]],
    [{ image: 'x' }, ['image: Photo URL must be an https:// address of a picture']],
    [{ email: '' }, [`email: ${messages.emailRequired}`]],
    [{ email: 'ada' }, ['email: Please enter a valid email address']],
    [{ password: '', confirmPassword: '' }, [`password: ${messages.passwordRequired}`]],
    [{ confirmPassword: 'other' }, ['confirmPassword: The two passwords are not the same']],
  ])('%j', (change, words) => expect(toldAt(signUp(false), { ...form, ...change })).toEqual(words));
});
