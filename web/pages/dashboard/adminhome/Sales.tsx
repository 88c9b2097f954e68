// Revenue and enrolments of the last 7, 30 or 90 days, compared with as many days before.
import { useSearchParams } from 'react-router';
import { type AdminFigures, periods } from '../../../../contract/figures.ts';
import { DayChart } from '../../../ui/DayChart.tsx';
import { Tabs } from '../../../ui/Tabs.tsx';
import { money, shortMoney } from '../../../ui/money.ts';

const number = (value: number) => value.toLocaleString('en-US');

export function Sales({ figures, stale }: { figures: AdminFigures; stale: boolean }) {
  const { days, before, revenue, enrolments } = figures;
  const [params, setParams] = useSearchParams();
  const choose = (period: string) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        if (period === '30') next.delete('days');
        else next.set('days', period);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
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
            value={params.get('days') ?? '30'}
            options={periods.map((period) => [period, `${period} days`])}
            onChange={choose}
          />
        </div>
      </div>
      <div aria-busy={stale} className={`grid gap-4 xl:grid-cols-2 ${stale ? 'opacity-60' : ''}`}>
        <DayChart
          title="Revenue per day"
          format={money}
          brief={shortMoney}
          before={before.revenue}
          points={days.map(({ day, revenue: value }) => ({ day, value }))}
        />
        <DayChart
          title="Enrolments per day"
          tone="secondary"
          format={number}
          before={before.enrolments}
          points={days.map(({ day, enrolments: value }) => ({ day, value }))}
        />
      </div>
    </section>
  );
}
