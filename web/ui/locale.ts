// How amounts, numbers and dates are written: in the academy's currency and language, once its
// settings are known (app/App.tsx). Without a language of its own the formats are those below.

interface Writing {
  /** BCP 47; undefined: each format has its own default. */
  locale: string | undefined;
  /** ISO 4217, in small letters as the card provider writes it. */
  currency: string;
}

let writing: Writing = { locale: undefined, currency: 'usd' };
let formats = new Map<string, unknown>();

/** Called before anything is drawn with the settings, on the server and in the browser. */
export function writeIn(next: Writing): void {
  if (next.locale === writing.locale && next.currency === writing.currency) return;
  writing = { ...next };
  formats = new Map();
}

/** A format is made once for each language. */
function kept<T>(key: string, make: () => T): T {
  const known = formats.get(key) as T | undefined;
  if (known) return known;
  const made = make();
  formats.set(key, made);
  return made;
}

export const amountFormat = (options: Intl.NumberFormatOptions = {}) =>
  kept(`amount ${JSON.stringify(options)}`, () => {
    const currency = writing.currency.toUpperCase();
    return new Intl.NumberFormat(writing.locale ?? 'en-US', {
      style: 'currency',
      currency,
      ...options,
    });
  });

/** `1,250` */
export const number = (value: number) =>
  kept('number', () => new Intl.NumberFormat(writing.locale ?? 'en-US')).format(value);

export const dateFormat = (options: Intl.DateTimeFormatOptions, fallback = 'en-US') =>
  kept(
    `date ${fallback} ${JSON.stringify(options)}`,
    () => new Intl.DateTimeFormat(writing.locale ?? fallback, options),
  );

/** 'dollars', 'euros': for the hint of a field. */
export const currencyName = () =>
  kept('name', () => {
    if (writing.currency === 'usd') return 'dollars';
    const parts = new Intl.NumberFormat('en', {
      style: 'currency',
      currency: writing.currency.toUpperCase(),
      currencyDisplay: 'name',
    }).formatToParts(2);
    return parts.find(({ type }) => type === 'currency')?.value ?? writing.currency.toUpperCase();
  });

export const currencyCode = () => writing.currency.toUpperCase();
