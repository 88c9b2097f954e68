// The currencies an academy can sell in: those with two decimal places of which the card provider
// charges 0.50 or less. In others (PLN 2.00, SEK 3.00) it refuses prices that our rules allow.
export const currencies = [
  'usd',
  'aud',
  'brl',
  'cad',
  'chf',
  'eur',
  'gbp',
  'inr',
  'nzd',
  'sgd',
] as const;
export type Currency = (typeof currencies)[number];
