import { expect, it } from 'vitest';
import { csv } from './csv.ts';

// A program that opens the file may also take semicolons, tabs or line breaks as separators.
it.each([
  ['=1+1', "'=1+1"],
  ['-1', "'-1"],
  ['Bob;=1+1', "Bob;'=1+1"],
  ['a\n=1', "a\n'=1"],
  ['\t=1', "'\t'=1"],
  ['\r', "'\r"],
  [' @x', "' @x"],
  ['\u200B=1+1', "'\u200B=1+1"],
  ['＝1+1', "'＝1+1"],
])('%j is text in a spreadsheet', (text, cell) => {
  expect(csv([[text]])).toBe(`\uFEFF"${cell}"\r\n`);
});

it('every cell is quoted; ordinary text and numbers stay', () => {
  expect(csv([['Anna "Bo" O\'Neill, Jr.; x', -19.5]])).toBe(
    `\uFEFF"Anna ""Bo"" O'Neill, Jr.; x","-19.5"\r\n`,
  );
});
