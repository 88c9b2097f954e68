// Spreadsheets for download.

// Where a spreadsheet sees a formula: at the start of a cell, also after invisible characters. A
// program that uses semicolons, tabs or line breaks as separators sees more starts of cells than we
// wrote.
const formula =
  /(^|[;\t\r\n])(?=(?:(?![\t\r\n])[\s\p{Cc}\p{Cf}\p{DI}])*[=+\-@＝＋－＠﹦﹢﹣﹫−])/gu;

/**
 * Quotes every cell, and prefixes a formula with an apostrophe, so that it stays text. A number
 * stays a number.
 */
function cell(value: string | number): string {
  const text =
    typeof value === 'number'
      ? String(value)
      : value.replace(formula, "$1'").replace(/^(?=[\t\r])/, "'");
  return `"${text.replaceAll('"', '""')}"`;
}

/** `2026-11-16 17:00` by the academy's clock: a time that spreadsheets read. */
export function clockIn(timeZone: string | null): (at: string) => string {
  const style = { dateStyle: 'short', timeStyle: 'short' } as const;
  const format = new Intl.DateTimeFormat('sv-SE', { ...style, timeZone: timeZone ?? 'UTC' });
  return (at) => format.format(new Date(at));
}

export const csv = (rows: readonly (readonly (string | number)[])[]) =>
  `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
