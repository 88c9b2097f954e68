// Spreadsheets for download.

// Where a spreadsheet sees a formula: at the start of a cell, also after invisible characters, and
// after what a program may take for a separator.
const formula =
  /(^|[;\t\r\n])(?=(?:(?![\t\r\n])[\s\p{Cc}\p{Cf}\p{DI}])*[=+\-@＝＋－＠﹦﹢﹣﹫−])/gu;

/** Quotes every cell. An apostrophe before a formula keeps it text; a number stays a number. */
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
