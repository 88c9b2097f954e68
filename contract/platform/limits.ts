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
  basketLines: 12,
  pageSize: 100,
  holdMinutes: 15,
  /** Of one network, which may be a whole school, and for one email address. */
  signUpsPerHour: { network: 100, email: 3 },
  /** Within 15 minutes: of an account from one network, of a network, of an account from all others. */
  wrongPasswords: { account: 10, network: 100, everywhere: 100 },
  mailsPerHour: 5,
  objection: 500,
  picture: {
    bytes: 8 * 1024 * 1024,
    pixels: 40_000_000,
    /** The decoder of AVIF keeps several copies of the whole picture in memory. */
    avifPixels: 16_000_000,
    stored: 200,
    daysUnused: 7,
    /** Of every picture that is at least as wide; and its own width, if it is between two of them. */
    widths: [96, 480, 960, 1_600],
    /** The banners of the academy fill a screen. */
    widest: 1_920,
  },
  announcement: { classes: 100, subject: 120, perDay: 5 },
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
  discount: {
    minCents: 1,
    maxCents: 1_000_000,
    ranks: { min: 2, max: 12 },
    uses: 1_000_000,
    perAccount: 100,
    wrongCodesPerMinute: 10,
  },
  credit: { maxCents: 10_000_000 },
  family: { children: 20, guardians: 20, invitationsPerDay: 20, changesPerDay: 200 },
  meeting: { count: 200, minutes: { min: 5, max: 1_440 }, years: 3, tell: 1_000 },
  academy: {
    name: 80,
    shortName: 16,
    tagline: 160,
    line: 100,
    sport: 40,
    sports: 40,
    headline: 80,
    welcome: 500,
    alt: 160,
    sponsors: 24,
    questions: 30,
    question: 200,
    answer: 1_000,
    page: 20_000,
  },
  /** `odds`: cases of which something is told. */
  wait: { open: 12, classes: 6, perHour: 20, odds: 10 },
  mark: { count: 100, guest: 100, note: 100, walkIns: 200, ofOne: 100 },
} as const;
