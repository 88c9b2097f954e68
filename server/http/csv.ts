// Spreadsheets for download. Not for: choosing what is in them.

// Where a spreadsheet sees a formula: at the start of a cell, also behind what cannot be seen. A
// program that takes semicolons, tabs or line breaks for separators sees more starts of cells than
// we wrote.
const formula =
  /(^|[;\t\r\n])(?=(?:(?![\t\r\n])[\s\p{Cc}\p{Cf}\p{DI}])*[=+\-@＝＋－＠﹦﹢﹣﹫−])/gu;

/**
 * Every cell is quoted, and a formula is given an apostrophe in front, so that it stays text. A
 * number stays a number.
 */
function cell(value: string | number): string {
  const text =
    typeof value === 'number'
      ? String(value)
      : value.replace(formula, "$1'").replace(/^(?=[\t\r])/, "'");
  return `"${text.replaceAll('"', '""')}"`;
}

export const csv = (rows: readonly (readonly (string | number)[])[]) =>
  `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
