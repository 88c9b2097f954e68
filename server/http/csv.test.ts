// No cell of a spreadsheet is a formula, whatever separator the program uses that opens it.
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { csv } from './csv.ts';

/** The cells of one line by RFC 4180: every cell in quotes. */
function cellsOf(file: string): string[] {
  expect(file).toMatch(/^\uFEFF("([^"]|"")*"(,|\r\n$))+$/);
  return [...file.matchAll(/"((?:[^"]|"")*)"(?:,|\r\n$)/g)].map(([, cell = '']) =>
    cell.replaceAll('""', '"'),
  );
}

const runs = /^[\s\p{Cc}\p{Cf}\p{DI}]*[=+\-@＝＋－＠]/u;
/** Also the parts that a program sees which uses semicolons, tabs or line breaks as separators. */
const isFormula = (cell: string) =>
  /^[\t\r]/.test(cell) || cell.split(/[;\t\r\n]/).some((piece) => runs.test(piece));

const pieces = fc.constantFrom(
  '=',
  '+',
  '-',
  '@',
  '＝',
  '＋',
  '－',
  '＠',
  ';',
  ',',
  '"',
  '\t',
  '\r',
  '\n',
  ' ',
  '\u200B',
);
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc
    .array(fc.oneof(pieces, fc.constantFrom('\uFEFF', '\u00A0', "'", '1', 'a')), { maxLength: 8 })
    .map((all) => all.join('')),
);

it.each([
  '=1+1',
  'Bob;=1+1',
  '＝1+1',
  '\u200B=1+1',
  ' =1+1',
  '\uFEFF@x',
  '\t=1',
  '\r=1',
  '-1',
  'a\n=1',
  'a; \u2060＋1',
])('%j is text', (text) => {
  const [cell = ''] = cellsOf(csv([[text]]));
  expect(isFormula(text)).toBe(true);
  expect(isFormula(cell)).toBe(false);
  expect(cell.replaceAll("'", '')).toBe(text);
});

it('every cell is quoted, and ordinary text and numbers stay unchanged', () => {
  expect(
    csv([
      ['Name', 'Price'],
      ['Anna "Bo" O\'Neill, Jr.; x', -19.5],
    ]),
  ).toBe(`\uFEFF"Name","Price"\r\n"Anna ""Bo"" O'Neill, Jr.; x","-19.5"\r\n`);
});

it('no text makes a formula, and only quotes are added', () => {
  const text = fc.property(fc.array(anyText, { minLength: 1, maxLength: 4 }), (row) => {
    const cells = cellsOf(csv([row]));
    expect(cells.map((cell) => cell.replaceAll("'", ''))).toEqual(
      row.map((cell) => cell.replaceAll("'", '')),
    );
    expect(cells.filter(isFormula)).toEqual([]);
  });
  fc.assert(text, { numRuns: 5_000, seed: 2026 });
});
