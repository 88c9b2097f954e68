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
  care: {
    allergies: 500,
    health: 1_000,
    medicine: 500,
    note: 500,
    contacts: 4,
    pickup: 8,
    relation: 50,
    monthsUntilOld: 12,
  },
  family: { children: 20, guardians: 20, invitationsPerDay: 20, changesPerDay: 200 },
  meeting: { count: 200, minutes: { min: 5, max: 1_440 }, years: 3, tell: 1_000 },
  mark: { count: 100, guest: 100, note: 100, walkIns: 200, ofOne: 100 },
} as const;
