// How amounts and numbers are written: in the academy's currency and its way of writing figures, once
// its settings are known (app/App.tsx); and its clock. Without a way of its own figures are English, the
// usual ones without `Intl`: the first formatter of a page keeps a slow phone busy for 0.1 s.

interface Writing {
  /** BCP 47, of figures alone; undefined: English. */
  locale: string | undefined;
  /** ISO 4217, in small letters as the card provider writes it. */
  currency: string;
  timeZone: string;
}

let writing: Writing = { locale: undefined, currency: 'usd', timeZone: 'UTC' };
let formats = new Map<string, unknown>();

/** Called before anything is drawn with the settings, on the server and in the browser. */
export function writeIn({ locale, currency, timeZone }: Writing): void {
  if (locale !== writing.locale || currency !== writing.currency) formats = new Map();
  writing = { locale, currency, timeZone };
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

export const hasComma = () =>
  writing.locale !== undefined &&
  kept('number', () => new Intl.NumberFormat(writing.locale))
    .format(0.5)
    .includes(',');

/** `1,250`, of a whole number. */
export const number = (value: number) =>
  writing.locale
    ? kept('number', () => new Intl.NumberFormat(writing.locale)).format(value)
    : grouped(String(value));

/** `2026-11-16 17:00`, by the clock of the academy: no reader's own zone has a say. */
export const wallClock = (at: Date, timeZone = writing.timeZone) =>
  kept(
    `clock ${timeZone}`,
    () => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }),
  ).format(at);

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

/** A word of the contract as a label. */
export const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
