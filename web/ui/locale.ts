// How amounts, numbers and dates are written: in the academy's currency and language, once its
// settings are known (app/App.tsx). Without a language of its own they are written in English, the
// usual ones without `Intl`: the first formatter of a page keeps a slow phone busy for 0.1 s.

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

export const currencyCode = () => writing.currency.toUpperCase();

const grouped = (digits: string) => digits.replace(/\d(?=(\d{3})+(?!\d))/g, '$&,');

/** `$1,250.00`; `brief`: `$95` where there are no cents. At most two decimals are given. */
export function amount(value: number, { brief = false } = {}): string {
  if (!writing.locale && writing.currency === 'usd') {
    const [whole = '', part] = Math.abs(value).toFixed(2).split('.');
    const cents = brief && part === '00' ? '' : `.${part}`;
    return `${value < 0 ? '-' : ''}$${grouped(whole)}${cents}`;
  }
  const format = kept(
    `amount ${brief}`,
    () =>
      new Intl.NumberFormat(writing.locale ?? 'en-US', {
        style: 'currency',
        currency: currencyCode(),
        trailingZeroDisplay: brief ? 'stripIfInteger' : 'auto',
      }),
  );
  return format.format(value);
}

/** `1,250`, of a whole number. */
export const number = (value: number) =>
  writing.locale
    ? kept('number', () => new Intl.NumberFormat(writing.locale)).format(value)
    : grouped(String(value));

const dateParts = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const;

/** The parts of a moment in the time zone of the reader: Mon, 16, Nov, 2026, 17, 00. */
export function partsOf(date: Date): Partial<Record<Intl.DateTimeFormatPartTypes, string>> {
  if (writing.locale) {
    const parts = dateFormat(dateParts).formatToParts(date);
    return Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  }
  // The language says what this text is: `Mon Nov 16 2026 17:00:00 GMT+0000`.
  const [weekday = '', month = '', day, year = '', hour = '', minute = ''] =
    String(date).split(/[ :]/);
  return { weekday, month, day: String(Number(day)), year, hour, minute };
}

export const dateFormat = (options: Intl.DateTimeFormatOptions) =>
  kept(
    `date ${JSON.stringify(options)}`,
    () => new Intl.DateTimeFormat(writing.locale ?? 'en-GB', options),
  );

/** 'dollars', 'euros': for the hint of a field. */
export const currencyName = () =>
  kept('name', () => {
    if (writing.currency === 'usd') return 'dollars';
    const parts = new Intl.NumberFormat('en', {
      style: 'currency',
      currency: currencyCode(),
      currencyDisplay: 'name',
    }).formatToParts(2);
    return parts.find(({ type }) => type === 'currency')?.value ?? currencyCode();
  });
