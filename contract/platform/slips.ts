// How far apart two words are, for words that were mistyped.

/** How many letters were left out, added, replaced or swapped with their neighbour. */
export function slips(typed: string, right: string): number {
  if (Math.abs(typed.length - right.length) > 2) return Infinity;
  const rows = [Array.from({ length: right.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= typed.length; row++) {
    const line = [row];
    for (let column = 1; column <= right.length; column++) {
      const at = (up: number, left: number) => rows[row - up]?.[column - left] ?? Infinity;
      const same = typed[row - 1] === right[column - 1];
      const swapped = typed[row - 1] === right[column - 2] && typed[row - 2] === right[column - 1];
      line[column] = Math.min(
        (line[column - 1] ?? Infinity) + 1,
        at(1, 0) + 1,
        at(1, 1) + (same ? 0 : 1),
        swapped ? at(2, 2) + 1 : Infinity,
      );
    }
    rows.push(line);
  }
  return rows[typed.length]?.[right.length] ?? Infinity;
}
