// The rules for texts: what is normalised, removed and refused.
import { describe, expect, it } from 'vitest';
import type { $ZodType } from 'zod/v4/core';
import { safeParse } from 'zod/v4/core';
import { cleanName, email, id, oneLine, paragraphs, personName, text, unlinked } from './rules.ts';

const tooManyMarks = 'must have at most 30 combining marks in a row';
const hiddenWords =
  'must be one line, without control characters or characters that cannot be seen';

/** The messages for a value; empty when it is valid. */
const told = (rule: $ZodType, value: unknown) =>
  safeParse(rule, value).error?.issues.map(({ message }) => message) ?? [];

/** An address with this number of combining marks in a row. */
const marked = (count: number) => `a${'\u0301\u0316'.repeat(count / 2)}@rally.example`;

describe('a text', () => {
  // Normalising 30,000 marks takes seconds, so the text is refused before it, with this message alone.
  it.each([text(1_000), text(10), paragraphs(1_000), email])(
    'has 30 marks in a row at most',
    (rule) => {
      expect(told(rule, marked(30))).not.toContain(tooManyMarks);
      expect(told(rule, marked(32))).toEqual([tooManyMarks]);
    },
  );
  it.each([
    marked(32).repeat(9),
    '\u007f'.repeat(241),
    ' '.repeat(241),
    `${'a'.repeat(240)}\u4e2d`,
  ])('that is far too long is refused before anything else: %#', (words) => {
    for (const rule of [text(10), paragraphs(10)])
      expect(told(rule, words)).toEqual(['must have at most 10 characters']);
  });
  // Unicode calls U+FF9E a letter. NFKC, which the search for links uses, makes it a combining mark.
  it('is not searched for links when it is too long', () => {
    const words = `a${'\uff9e\u0334'.repeat(100)} www.evil.example`;
    expect(told(personName(), words)).toEqual(['must have at most 100 characters']);
  });
  it('of another provider has no link, also not one with invisible characters inside', () => {
    expect(cleanName('http:/\u200b/evil.example ww\u200bw.evil.com')).toBe(
      'http evil.example evil.com',
    );
  });
  it('of another provider is cut without half a character at its end', () => {
    expect(cleanName(`${'a'.repeat(99)}\u{1f600}x`)).toBe('a'.repeat(99));
  });
  it('of another provider loses further marks', () => {
    expect(cleanName(`Zo${'\u0316'.repeat(20_000)} W`)).toBe(`Zo${'\u0316'.repeat(30)} W`);
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
