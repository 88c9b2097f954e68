/**
 * Splits an amount by weight, so that the parts add up to the cent: the largest remainders get the
 * cents that are left; among equals the first ones.
 */
export function spread(cents: number, weights: readonly number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  if (all === 0) return weights.map((_, index) => (index === 0 ? cents : 0));
  const exact = weights.map((weight) => BigInt(cents) * BigInt(weight));
  const parts = exact.map((part) => Number(part / BigInt(all)));
  const left = cents - parts.reduce((sum, part) => sum + part, 0);
  const remainders = exact
    .map((part, index) => ({ index, rest: Number(part % BigInt(all)) }))
    .toSorted((a, b) => b.rest - a.rest || a.index - b.index);
  for (const { index } of remainders.slice(0, left)) parts[index] = (parts[index] ?? 0) + 1;
  return parts;
}
