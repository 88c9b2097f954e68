// Currency, time zone, and how amounts are written.
import { useWatch } from 'react-hook-form';
import { currencies } from '../../../contract/platform/currencies.ts';
import { Select } from '../../platform/ui/Field.tsx';
import { dayName } from '../../platform/ui/dates.ts';
import { number, wallClock } from '../../platform/ui/locale.ts';
import { SectionCard } from './SectionCard.tsx';
import { type SectionProps, useSection } from './useSection.ts';

const zones = () => {
  const known = Intl.supportedValuesOf('timeZone');
  return known.includes('UTC') ? known : [...known, 'UTC'];
};

/** Languages in which amounts are written as people of the currencies expect them. */
const locales =
  'en-US en-GB en-IE en-AU en-CA en-IN en-NZ en-SG de-AT de-CH de-DE es-ES fr-CA fr-CH fr-FR it-IT nl-NL pt-BR pt-PT'.split(
    ' ',
  );

const usual: { meetings: 'clocks' | 'instants' } = { meetings: 'clocks' };

export function MoneySection(props: SectionProps) {
  const { academy } = props;
  const section = useSection({
    ...props,
    values: ({ currency, timeZone, locale }) => ({ currency, timeZone, locale, ...usual }),
    asSent: ({ meetings, ...changed }) =>
      changed.timeZone ? { ...changed, ...usual, ...(meetings && { meetings }) } : changed,
  });
  const { field, form } = section;
  const { currency = 'usd', timeZone = 'UTC', locale = '' } = useWatch({ control: form.control });
  const languages = [...new Set([...locales, ...(academy.locale ? [academy.locale] : [])])];
  return (
    <SectionCard section={section}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          {...field('currency')}
          disabled={academy.currencyStays}
          hint={
            academy.currencyStays
              ? 'Seats have been sold in it, so it cannot change.'
              : 'It cannot change after the first sale.'
          }
          options={currencies.map((code) => [code, `${code.toUpperCase()} · ${nameOf(code)}`])}
        />
        <Select
          {...field('locale')}
          hint="Words and dates are English."
          options={[['', 'English (1,250.00)'], ...languages.map(languageOf)]}
        />
        <Select
          {...field('timeZone')}
          options={zones().map((zone) => [zone, zone.replaceAll('_', ' ')])}
        />
        {timeZone !== academy.timeZone && academy.meetingsToCome > 0 && (
          <Select
            {...field('meetings')}
            label={`${number(academy.meetingsToCome)} meetings to come keep`}
            hint="Nobody is mailed. Calendars follow."
          >
            <option value="clocks">their clock times (usual)</option>
            <option value="instants">the moments at which they begin</option>
          </Select>
        )}
      </div>
      <p className="figures" aria-live="polite">
        <span className="muted">It looks like this: </span>
        {sample({ currency, timeZone, locale })}
      </p>
    </SectionCard>
  );
}

const nameOf = (code: string) =>
  new Intl.DisplayNames('en', { type: 'currency' }).of(code.toUpperCase());
const languageOf = (code: string) =>
  [code, new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code] as const;

type Money = Record<'currency' | 'timeZone' | 'locale', string>;

function sample({ currency, timeZone, locale }: Money): string {
  const style = { style: 'currency', currency: currency.toUpperCase() } as const;
  const price = new Intl.NumberFormat(locale || 'en-US', style).format(1250);
  const clock = wallClock(new Date(), timeZone);
  return `${price} · ${dayName(clock.slice(0, 10), 'always')}, ${clock.slice(11)}`;
}
