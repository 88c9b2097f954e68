// The constants of the rules. They are separate so that pages that only show a limit do not load
// zod.
export const limits = {
  password: { min: 6, max: 20 },
  price: { minCents: 50, maxCents: 1_000_000 },
  seats: { min: 1, max: 10_000 },
  name: 100,
  text: 2_000,
  url: 2_048,
  email: 254,
  cartItems: 50,
  pageSize: 100,
  holdMinutes: 15,
  objection: 500,
  meeting: { count: 200, minutes: { min: 5, max: 1_440 }, years: 3, tell: 1_000 },
} as const;
