// Revenue and enrolments of a period, compared with as many days before: the last 7, 30 or 90 days,
// this month, last month, or from a day to a day.
import { useSearchParams } from 'react-router';
import type { AdminFigures } from '../../../contract/academy/figures.ts';
import { useSettings } from '../../platform/api/query.ts';
import { DayChart } from '../../platform/ui/DayChart.tsx';
import { Field } from '../../platform/ui/Field.tsx';
import { Tabs } from '../../platform/ui/Tabs.tsx';
import { todayIn } from '../../platform/ui/dates.ts';
import { money, shortMoney } from '../../platform/ui/money.ts';
import { number } from '../../platform/ui/locale.ts';
import { type Chosen, customDays, optionOf, options, periodIn } from './period.ts';

export function Sales({ figures, stale }: { figures: AdminFigures; stale: boolean }) {
  const { days, before, revenue, enrolments } = figures;
  const { timeZone } = useSettings();
  const today = todayIn(timeZone);
  const [params, setParams] = useSearchParams();
  const chosen = optionOf(params);
  const choose = (values: Chosen) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        for (const name of ['days', 'from', 'to'] as const) {
          const value = values[name];
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  const { from = '', to = '' } = periodIn(params, today);
  const ended = to !== '' && to < today;
  return (
    <section aria-labelledby="sales" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <div>
          <h2 id="sales" className="text-lg">
            Sales
          </h2>
          <p className="muted text-sm tabular-nums">
            {money(revenue)} and {number(enrolments)} enrolments since the academy began, without
            refunds.
          </p>
        </div>
        <div className="-mb-4">
          <Tabs
            label="Period"
            value={chosen}
            options={options}
            onChange={(option) => choose(customDays(option, today))}
          />
        </div>
      </div>
      {chosen === 'custom' && (
        <div className="grid max-w-md grid-cols-2 gap-4">
          <Field
            label="From"
            type="date"
            value={from}
            max={to}
            onChange={({ target }) =>
              target.value && choose({ days: 'custom', from: target.value, to })
            }
          />
          <Field
            label="To"
            type="date"
            value={to}
            min={from}
            max={today}
            onChange={({ target }) =>
              target.value && choose({ days: 'custom', from, to: target.value })
            }
          />
        </div>
      )}
      <div aria-busy={stale} className={`grid gap-4 xl:grid-cols-2 ${stale ? 'opacity-60' : ''}`}>
        <DayChart
          title="Revenue per day"
          format={money}
          brief={shortMoney}
          before={before.revenue}
          ended={ended}
          points={days.map(({ day, revenue: value }) => ({ day, value }))}
        />
        <DayChart
          title="Enrolments per day"
          tone="secondary"
          format={number}
          before={before.enrolments}
          ended={ended}
          points={days.map(({ day, enrolments: value }) => ({ day, value }))}
        />
      </div>
    </section>
  );
}
