// The rules for texts: what is normalised, removed and refused.
import { describe, expect, it } from 'vitest';
import { type $ZodType, safeParse } from 'zod/v4/core';
import { cleanName, email, id, oneLine, paragraphs, personName, text } from './rules.ts';

const hiddenWords =
  'must be one line, without control characters or characters that cannot be seen';

/** The messages for a value; empty when it is valid. */
const told = (rule: $ZodType, value: unknown) =>
  safeParse(rule, value).error?.issues.map(({ message }) => message) ?? [];

describe('a text', () => {
  it('of 60,000 combining marks costs no time', () => {
    const started = performance.now();
    for (const rule of [text(100), paragraphs(2_000), email])
      expect(told(rule, `a${'\u0301\u0316'.repeat(30_000)}`)[0]).toMatch(/^must have at most/);
    expect(performance.now() - started).toBeLessThan(200);
  });

  it('is no longer after it is normalised', () => {
    expect(told(text(3), '\u0958\u0958')).toEqual(['must have at most 3 characters']);
  });

  it('that names a person has no link', () => {
    expect(told(personName(), 'Pay at https://evil.example')).toEqual(['must not contain a link']);
    expect(told(personName(), 'J. R. R. O’Brien-www')).toEqual([]);
    expect(cleanName('Ada http:/\u200b/evil.example')).toBe('Ada http evil.example');
  });

  it('of another provider is cut at a whole character', () => {
    expect(cleanName(`${'a'.repeat(99)}\u{1f600}x`)).toBe('a'.repeat(99));
  });

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
    'Ada\r\n\r\nhttps://evil.example/pay',
    'Ada\tLovelace',
    'Ada\u0085Lovelace',
    'Ada\u2028Lovelace',
    'Ada\u202Eecalevol',
    'A\u200Bda',
    'Ada \uD83D',
  ])('of one line may not be %j', (value) => expect(told(text(100), value)).toEqual([hiddenWords]));

  it.each(['Zoë O’Neill-Śmigły', 'محمد‌رضا', 'क्‍ष', '李小龍', 'Anna 👩‍👧 Müller', '❤️‍🔥 1️⃣'])(
    'of one line may be %j',
    (value) => expect(safeParse(text(100), value).data).toBe(value),
  );

  it('of several lines keeps its breaks, and loses what is unseen', () => {
    const written = 'One\r\nTwo\rThree\u2028Four\tfive\u202E six\u200B \u0007\uD83Dend';
    expect(safeParse(paragraphs(100), written).data).toBe('One\nTwo\nThree\nFour five six end');
  });

  it('of a stranger becomes one line for a mail', () => {
    expect(oneLine(' Ada\n\nhttps://evil.example/pay\u2028\u202Ex\u200By\t ')).toBe(
      'Ada https://evil.example/pay xy',
    );
  });

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
