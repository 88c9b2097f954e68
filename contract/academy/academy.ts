// The settings of the academy, which admins change at /dashboard/academy.
import { isTimeZone } from '../platform/days.ts';
import * as z from 'zod/mini';
import { call } from '../platform/call.ts';
import { currencies } from '../platform/currencies.ts';
import { answer, described } from '../platform/described.ts';
import { limits } from '../platform/limits.ts';
import {
  email,
  isPictureAddress,
  paragraphs,
  picture,
  text,
  webAddress,
} from '../platform/rules.ts';
import { sportIcons } from '../platform/sporticons.ts';

const said = z.string();
const Sponsor = z.object({ name: said, picture: said, link: said });
export type Sponsor = z.infer<typeof Sponsor>;
export const Question = z.object({ question: said, answer: said });
/** Null: the picture that Rally brings for this place. */
export const Banner = z.nullable(z.object({ picture: said, alt: said }));
export type Banner = z.infer<typeof Banner>;

/** An empty text takes the setting back. */
const orEmpty = <T extends z.ZodMiniType<string>>(rule: T) => z.union([z.literal(''), rule]);

const hex = z
  .string()
  .check(z.regex(/^#[\da-fA-F]{6}$/, 'must be a colour such as #0b5d4e'), z.toLowerCase());

/** An address that people open by a click: https only. */
const link = text(limits.url, 1).check(
  z.refine(
    (value) => value.startsWith('https://') && webAddress(value)?.username === '',
    'must be an https:// address',
  ),
);

const zone = text(60, 1).check(
  z.refine(isTimeZone, 'must be an IANA time zone such as Europe/Lisbon'),
);
const locale = text(35, 1).check(
  z.refine(isLocale, 'must be a language and region such as en-GB or pt-PT'),
);

const sport = z.strictObject({
  name: text(limits.academy.sport, 1),
  icon: z.enum(sportIcons, 'must be one of the icons'),
  /** Its name until now, when it is renamed. */
  was: z.optional(text(limits.academy.sport, 1)),
});

const sponsorPicture = text(limits.url, 1).check(
  z.refine(
    (value) => isPictureAddress(value) || /^\/media\/sponsor\/[\w-]+\.svg$/.test(value),
    'must be an https:// address of a picture (no SVG, no IP address)',
  ),
);

const most = limits.academy;

export const academyRules = {
  name: text(most.name, 1),
  shortName: text(most.shortName),
  tagline: text(most.tagline),
  logo: orEmpty(picture),
  icon: orEmpty(picture),
  primary: orEmpty(hex),
  accent: orEmpty(hex),
  email: orEmpty(email),
  phone: orEmpty(
    text(30, 1).check(
      z.regex(/^\+?[\d ()/.-]{4,30}$/, 'must be a phone number such as +351 21 000'),
    ),
  ),
  street: text(most.line),
  city: text(most.line),
  country: text(most.line),
  mapLink: orEmpty(link),
  currency: z.enum(currencies, `must be one of ${currencies.join(', ')}`),
  timeZone: zone,
  locale: orEmpty(locale),
  sports: z.array(sport).check(
    z.minLength(1, 'must have at least one sport'),
    z.maxLength(most.sports, `must have at most ${most.sports} sports`),
    z.refine(
      (list) => new Set(list.map(({ name }) => name.toLowerCase())).size === list.length,
      'must not name a sport twice',
    ),
  ),
  headline: text(most.headline),
  welcome: paragraphs(most.welcome),
  banners: z
    .array(z.nullable(z.strictObject({ picture, alt: text(most.alt, 1) })))
    .check(z.length(4, 'must have four places')),
  sponsors: z
    .array(
      z.strictObject({
        name: text(most.name, 1),
        picture: sponsorPicture,
        link: orEmpty(link),
      }),
    )
    .check(z.maxLength(most.sponsors, `must have at most ${most.sponsors} sponsors`)),
  faq: z
    .array(z.strictObject({ question: text(most.question, 1), answer: paragraphs(most.answer, 1) }))
    .check(z.maxLength(most.questions, `must have at most ${most.questions} questions`)),
  about: paragraphs(most.page),
  jobs: paragraphs(most.page),
  terms: paragraphs(most.page),
  privacy: paragraphs(most.page),
};
export type AcademyField = keyof typeof academyRules;

const version = described(
  z.int('must be a whole number').check(z.minimum(1, 'must be at least 1')),
  { type: 'integer', minimum: 1 },
);

export const Academy = z.object({
  ...(Object.fromEntries(Object.keys(academyRules).map((field) => [field, said])) as {
    [field in AcademyField]: typeof said;
  }),
  version: answer.count,
  currency: z.enum(currencies),
  /** Something was sold, or is being paid for: the currency stays. */
  currencyStays: z.boolean(),
  meetingsToCome: answer.count,
  /** `used`: by a class or a discount. Such a sport can be renamed, not removed. */
  sports: z.array(z.object({ name: said, icon: z.enum(sportIcons), used: z.boolean() })),
  banners: z.array(Banner),
  sponsors: z.array(Sponsor),
  faq: z.array(Question),
});
export type Academy = z.infer<typeof Academy>;

export const readAcademy = call('GET /academy', {
  does: 'The settings of the academy. What was never set is an empty text.',
  access: 'admin',
  input: z.strictObject({}),
  response: Academy,
});

export const changeAcademy = call('PATCH /academy', {
  does: 'Changes settings of the academy. version is the one that was read; after a change by another admin it is refused, and changed names what they changed. An empty text takes a setting back. With another timeZone, meetings says what the meetings to come keep.',
  access: 'admin',
  example: { version: 'version', city: 'Lisbon' },
  input: z.extend(z.partial(z.strictObject(academyRules)), {
    version,
    /** Their day and time, or the moment at which they begin. */
    meetings: z.optional(z.enum(['clocks', 'instants'])),
  }),
  response: z.object({ modifiedCount: answer.count, version: answer.count }),
  errors: ['ACADEMY_CHANGED', 'CURRENCY_STAYS', 'SPORT_IN_USE'],
});

export const previewPage = call('POST /academy/preview', {
  does: 'Markdown as the HTML that visitors would see. Nothing is stored.',
  access: 'admin',
  example: { text: '# Terms' },
  input: z.strictObject({ text: paragraphs(limits.academy.page) }),
  response: z.object({ html: z.string() }),
  perMinute: 120,
});

export function isLocale(value: string): boolean {
  try {
    return (
      Intl.getCanonicalLocales(value)[0] === value &&
      Intl.NumberFormat.supportedLocalesOf(value).length === 1
    );
  } catch {
    return false;
  }
}
