// /dashboard/adminhome. The client does not guard it (specification, section 6): without the role of
// an admin it shows the welcome only and makes no call.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useLocation, useSearchParams } from 'react-router';
import { adminFigures, type AdminFigures, type Fill } from '../../../contract/academy/figures.ts';
import { query, useSettings } from '../../platform/api/query.ts';
import { paths } from '../../platform/paths.ts';
import { useSession } from '../../people/session/SessionProvider.tsx';
import { LinkButton } from '../../platform/ui/Button.tsx';
import { Card } from '../../platform/ui/Card.tsx';
import { type Rank, RankedBars } from '../../platform/ui/Chart.tsx';
import { PageHeading } from '../../platform/ui/PageHeading.tsx';
import { EmptyState, ErrorNote, Skeleton } from '../../platform/ui/States.tsx';
import { todayIn } from '../../platform/ui/dates.ts';
import { FirstSteps } from './FirstSteps.tsx';
import { type Chosen, customDays, figuresOf, optionOf, options, periodIn } from './period.ts';
import { NeedsYou } from './NeedsYou.tsx';
import { Today } from '../../rollcall/Today.tsx';
import { inWords } from '../../platform/lists/total.ts';
import { DayChart } from '../../platform/ui/DayChart.tsx';
import { Field } from '../../platform/ui/Field.tsx';
import { Tabs } from '../../platform/ui/Tabs.tsx';
import { money, shortMoney } from '../../platform/ui/money.ts';
import { number } from '../../platform/ui/locale.ts';

export function AdminHome() {
  const { state, user, role, roleLoading, retryRole } = useSession();
  const location = useLocation();
  const [params] = useSearchParams();
  const { timeZone } = useSettings();
  const isAdmin = role === 'admin';
  const figures = useQuery({
    ...query(adminFigures, figuresOf(params, todayIn(timeZone))),
    enabled: isAdmin,
    placeholderData: keepPreviousData,
  });

  return (
    <>
      <PageHeading
        title="Admin Home"
        shown={isAdmin && user ? `Welcome back, ${user.name}` : 'Welcome to the Admin Home'}
      >
        Today, what needs you, and what is sold.
      </PageHeading>
      {retryRole && <ErrorNote onRetry={retryRole} />}
      {!isAdmin && !roleLoading && !retryRole && (
        <EmptyState
          title="For admins only"
          action={
            state === 'out' && (
              <LinkButton to={paths.login} state={{ from: location }}>
                Login
              </LinkButton>
            )
          }
        >
          Log in with an admin account to see the figures of the academy.
        </EmptyState>
      )}
      {figures.error && !figures.data && (
        <ErrorNote message={figures.error.message} onRetry={() => void figures.refetch()} />
      )}
      {figures.data && <Figures figures={figures.data} stale={figures.isPlaceholderData} />}
      {((roleLoading && !retryRole) || (isAdmin && figures.isPending)) && <Waiting />}
    </>
  );
}

function Figures({ figures, stale }: { figures: AdminFigures; stale: boolean }) {
  return (
    <div className="flex flex-col gap-8">
      <FirstSteps />
      <div className="grid items-start gap-4 lg:grid-cols-[3fr_2fr]">
        <Today whose="all" />
        <NeedsYou figures={figures} />
      </div>
      <Counts figures={figures} />
      <Sales figures={figures} stale={stale} />
      <Filling figures={figures} />
    </div>
  );
}

function Counts({ figures: { classes, seats, users } }: { figures: AdminFigures }) {
  const counts = [
    ['Seats sold', seats.sold],
    ['Seats free', seats.free],
    ['Classes on sale', classes.approved],
    ['Students', users.student],
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-4 empty:hidden lg:grid-cols-4">
      {counts
        .filter(([, count]) => count > 0)
        .map(([term, count]) => (
          <div key={term} className="card-frame gap-0">
            <dt className="meta">{term}</dt>
            <dd className="text-2xl font-semibold tabular-nums">{number(count)}</dd>
          </div>
        ))}
    </dl>
  );
}

function Waiting() {
  return (
    <div className="grid gap-4 lg:grid-cols-[3fr_2fr]" aria-busy="true">
      <Skeleton className="h-64" />
      <Skeleton className="h-64" />
      <Skeleton className="h-72 lg:col-span-2" />
    </div>
  );
}

const ranksOf = (fills: readonly Fill[]): Rank[] =>
  fills.map(({ _id, name, sold, capacity }) => ({
    id: _id,
    label: (
      <Link to={paths.dashboard.review(_id)} className="link-hover link" title={name}>
        {name}
      </Link>
    ),
    part: sold,
    whole: capacity,
  }));

function Filling({ figures }: { figures: AdminFigures }) {
  const { fullest, emptiest, underThirty } = figures;
  if (fullest.length + emptiest.length === 0) return null;
  return (
    <section aria-labelledby="filling" className="flex flex-col gap-4">
      <h2 id="filling" className="heading">
        How full the classes are
      </h2>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        {fullest.length > 0 && (
          <Card heading="h3" title="Fullest" actions={<span className="meta">Seats sold</span>}>
            <RankedBars ranks={ranksOf(fullest)} />
          </Card>
        )}
        {emptiest.length > 0 && (
          <Card
            heading="h3"
            title="Under 30 %"
            actions={<span className="meta">{inWords(underThirty)} in all</span>}
          >
            <RankedBars ranks={ranksOf(emptiest)} />
          </Card>
        )}
      </div>
    </section>
  );
}

function Sales({ figures, stale }: { figures: AdminFigures; stale: boolean }) {
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
  const inDays = days.length === 1 ? '1 day' : `${days.length} days`;
  return (
    <section aria-labelledby="sales" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <div>
          <h2 id="sales" className="heading">
            Sales
          </h2>
          <p className="muted text-sm tabular-nums">
            {money(revenue)} and {number(enrolments)} enrolments since the academy began, without
            refunds.
          </p>
        </div>
        <div className="-mb-4 max-w-full min-w-0">
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
          title={`Revenue, ${inDays}`}
          format={money}
          brief={shortMoney}
          before={before.revenue}
          ended={ended}
          points={days.map(({ day, revenue: value }) => ({ day, value }))}
        />
        <DayChart
          title={`Enrolments, ${inDays}`}
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
