import { describe, expect, it } from 'vitest';
import { type $ZodType, safeParse } from 'zod/v4/core';
import { messages } from './messages.ts';
import {
  cents,
  dollars,
  instant,
  isPictureAddress,
  newPassword,
  newPasswords,
  paging,
  picture,
  price,
  seats,
  signUp,
  slice,
} from './rules.ts';

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

  const none = ',abc,-1,1.,.5,1.999,1e3,$5,1 000,0x10,9999999999,x19.99,19.99x'.split(',');
  it.each([...none, '1,50'])('%j is none', (text) => expect(cents(text)).toBeNull());
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

  it.each([1.5, '1.5', '-1', '', 'five', 'x5', '5x', '1e2', '12345678', null, true])(
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
    ['page', 'two', ['must be a whole number']],
    ['page', undefined, []],
    ['limit', 100, []],
    ['limit', '101', ['must be at most 100']],
  ] as const)('of %s %j', (name, value, words) => expect(told(paging[name], value)).toEqual(words));
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
  const good = `
    https://pictures.example/a.png https://pictures.example/svg https://pictures.example/a.svg.png
    https://1st.pictures.example/ https://pictures2.example4/a.png
    https://local.pictures.example/a.png https://x.local.example/a.png
    /media/class/tennis-2.webp /media/my-people/p1.svg`;
  it.each(good.trim().split(/\s+/))('may be %s', (address) =>
    expect(isPictureAddress(address)).toBe(true),
  );

  const bad = `
    picture http://pictures.example/a.png ftp://pictures.example/a.png javascript:alert(1)
    data:image/png;base64,AAAA https://ada@pictures.example/a.png
    https://:secret@pictures.example/a.png https://pictures.example/a.svg
    https://pictures.example/a.SVGZ https://pictures.example/a%2esvg
    https://pictures.example/a.sv%67 https://pictures.example/a.svg%00 /media/secret
    /media/../secret.txt /media/class/../../secret /media/class/a.png?x
    /elsewhere/media/class/a.png //evil.example/media/class/a.png`;
  it.each([
    '',
    ...bad.trim().split(/\s+/),
    'https://pictures.example\n/a.png',
    '/media/cl ass/a.png',
    `https://${'a.'.repeat(150)}example/a.png`,
  ])('may not be %s', (address) => expect(isPictureAddress(address)).toBe(false));

  const notPublic =
    '127.0.0.1 2130706433 [::1] [fe80::1.2.3.4] localhost intranet app.localhost printer.local ' +
    'metadata.internal localhost. intranet. app.localhost. printer.local. metadata.internal. ' +
    'metadata.google.internal pictures.example. pictures.example.. pictures%2eexample localhost%2e ' +
    'metadata%2einternal 127.0.0.1. 0x7f.1 pictures。example router.home.arpa nas.lan';

  it.each(notPublic.split(' '))('may not be at %s', (host) =>
    expect(isPictureAddress(`https://${host}/a.png`)).toBe(false),
  );

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
    [{ name: 'Click https://evil.example/pay now' }, ['name: must not contain a link']],
    [{ image: '' }, [`image: ${messages.photoRequired}`]],
    [{ image: 'x' }, ['image: Photo URL must be an https:// address of a picture']],
    [{ email: '' }, [`email: ${messages.emailRequired}`]],
    [{ email: 'ada' }, ['email: Please enter a valid email address']],
    [{ password: '', confirmPassword: '' }, [`password: ${messages.passwordRequired}`]],
    [{ confirmPassword: 'other' }, ['confirmPassword: The two passwords are not the same']],
  ])('%j', (change, words) => expect(toldAt(signUp(false), { ...form, ...change })).toEqual(words));
});
