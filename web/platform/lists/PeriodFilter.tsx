// A period in days as two parameters of the URL, ?from= and ?to=, with the usual ones in a list.
import { useState } from 'react';
import { useSettings } from '../api/query.ts';
import { todayIn } from '../ui/dates.ts';
import { Field, Select } from '../ui/Field.tsx';
import { addDays, isDay } from '../../../contract/platform/days.ts';
import type { Listing } from './listing.ts';

export interface Period {
  from?: string;
  to?: string;
}

/** What the URL says; days that are none are left out. */
export function usePeriod(listing: Pick<Listing<string>, 'filter'>): Period {
  const day = (name: string) => {
    const value = listing.filter(name);
    return value && isDay(value) ? value : undefined;
  };
  const [from, to] = [day('from'), day('to')];
  return { ...(from && { from }), ...(to && { to }) };
}

const firstOf = (day: string) => `${day.slice(0, 7)}-01`;

export function namedPeriods(today: string): Record<string, Required<Period>> {
  const lastMonthEnds = addDays(firstOf(today), -1);
  const last = (days: number) => ({ from: addDays(today, 1 - days), to: today });
  return {
    '7 days': last(7),
    '30 days': last(30),
    '90 days': last(90),
    'This month': { from: firstOf(today), to: today },
    'Last month': { from: firstOf(lastMonthEnds), to: lastMonthEnds },
  };
}

interface PeriodFilterProps {
  listing: Pick<Listing<string>, 'filter' | 'onFilters'>;
  /** What is shown without a choice. */
  otherwise?: string;
}

export function PeriodFilter({ listing, otherwise = 'Always' }: PeriodFilterProps) {
  const { timeZone } = useSettings();
  const named = namedPeriods(todayIn(timeZone));
  const { from = '', to = '' } = usePeriod(listing);
  const chosen = Object.keys(named).find(
    (name) => named[name]?.from === from && named[name]?.to === to,
  );
  const [isCustom, setIsCustom] = useState(chosen === undefined && (from !== '' || to !== ''));
  const choose = (name: string) => {
    setIsCustom(name === custom);
    if (name !== custom) listing.onFilters(named[name] ?? { from: '', to: '' });
  };
  return (
    <>
      <Select
        label="When"
        value={isCustom ? custom : (chosen ?? '')}
        onChange={({ target }) => choose(target.value)}
      >
        <option value="">{otherwise}</option>
        {[...Object.keys(named), custom]
          .filter((name) => name !== otherwise)
          .map((name) => (
            <option key={name}>{name}</option>
          ))}
      </Select>
      {isCustom && (
        <>
          <Field
            label="From"
            type="date"
            value={from}
            max={to || undefined}
            onChange={({ target }) => listing.onFilters({ from: target.value })}
          />
          <Field
            label="To"
            type="date"
            value={to}
            min={from || undefined}
            onChange={({ target }) => listing.onFilters({ to: target.value })}
          />
        </>
      )}
    </>
  );
}

const custom = 'Custom';
