// /dashboard/adminhome. The client does not guard it (specification, section 6): without the role of
// an admin it shows the welcome only and makes no call.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useLocation, useSearchParams } from 'react-router';
import { adminFigures, type AdminFigures, type Fill } from '../../../contract/academy/figures.ts';
import { query, useSettings } from '../../platform/api/query.ts';
import { paths } from '../../platform/paths.ts';
import { useSession } from '../../people/session/SessionProvider.tsx';
import { LinkButton } from '../../platform/ui/Button.tsx';
import { PartsChart, type Rank, RankedBars } from '../../platform/ui/Chart.tsx';
import { PageHeading } from '../../platform/ui/PageHeading.tsx';
import { EmptyState, ErrorNote, Skeleton } from '../../platform/ui/States.tsx';
import { todayIn } from '../../platform/ui/dates.ts';
import { FirstSteps } from './FirstSteps.tsx';
import { type Chosen, customDays, figuresOf, optionOf, options, periodIn } from './period.ts';
import { WaitingClasses } from './WaitingClasses.tsx';
import { inWords } from '../../platform/lists/total.ts';
import { type AnyIcon, Icon } from '../../platform/ui/Icon.tsx';
import * as icons from '../../platform/ui/dashboardicons.ts';
import type { ReactNode } from 'react';
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
        What needs you, who is here and what is sold.
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
  const { users, classes, seats } = figures;
  return (
    <div className="flex flex-col gap-8">
      <NeedsYou figures={figures} />
      <FirstSteps />
      <WaitingClasses waiting={figures.waiting} pending={classes.pending} />
      <Sales figures={figures} stale={stale} />
      <Filling figures={figures} />
      <section aria-labelledby="academy" className="flex flex-col gap-4">
        <h2 id="academy" className="text-lg">
          The academy
        </h2>
        <div className="grid gap-4 lg:grid-cols-3">
          <PartsChart
            title="Users by role"
            parts={[
              { label: 'Students', value: users.student, tone: 'primary' },
              { label: 'Instructors', value: users.instructor, tone: 'accent' },
              { label: 'Admins', value: users.admin, tone: 'neutral' },
            ]}
          />
          <PartsChart
            title="Classes by status"
            parts={[
              { label: 'Approved', value: classes.approved, tone: 'primary' },
              { label: 'Pending', value: classes.pending, tone: 'accent' },
              { label: 'Denied', value: classes.denied, tone: 'error' },
            ]}
          />
          <PartsChart
            title="Seats"
            parts={[
              { label: 'Sold', value: seats.sold, tone: 'primary' },
              { label: 'Free', value: seats.free, tone: 'base' },
            ]}
          />
        </div>
      </section>
    </div>
  );
}

function Waiting() {
  return (
    <div className="grid grid-cols-2 gap-4 lg:grid-cols-4" aria-busy="true">
      <Skeleton className="h-28" />
      <Skeleton className="h-28" />
      <Skeleton className="h-28" />
      <Skeleton className="h-28" />
      <Skeleton className="col-span-full h-40" />
      <Skeleton className="col-span-full h-72" />
    </div>
  );
}

interface Need {
  count: number;
  icon: AnyIcon;
  one: string;
  more: string;
  to: string;
  tone: string;
}

const needsOf = ({ classes, failedRefunds, ...figures }: AdminFigures): Need[] => [
  {
    count: classes.pending,
    icon: icons.hourglass,
    one: 'class to review',
    more: 'classes to review',
    to: `${paths.dashboard.manageClasses}?status=pending`,
    tone: 'text-warning',
  },
  {
    count: failedRefunds,
    icon: 'card',
    one: 'failed refund',
    more: 'failed refunds',
    to: `${paths.dashboard.payments}?status=refund_failed`,
    tone: 'text-error',
  },
  {
    count: figures.attention - figures.families,
    icon: 'alert',
    one: 'payment problem',
    more: 'payment problems',
    to: paths.dashboard.attention,
    tone: 'text-error',
  },
  {
    count: figures.families,
    icon: 'calendar',
    one: 'family waiting for an answer',
    more: 'families waiting for an answer',
    to: paths.dashboard.attention,
    tone: 'text-warning',
  },
  {
    count: figures.nearlyFull,
    icon: 'users',
    one: 'class is nearly full',
    more: 'classes are nearly full',
    to: `${paths.dashboard.manageClasses}?status=approved&sort=seat`,
    tone: 'text-primary',
  },
];

function NeedsYou({ figures }: { figures: AdminFigures }) {
  return (
    <section aria-labelledby="needs" className="flex flex-col gap-4">
      <h2 id="needs" className="text-lg">
        Needs you
      </h2>
      <ul className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-5">
        {needsOf(figures).map(({ count, icon, one, more, to, tone }) => (
          <li key={one} className="flex">
            <Link
              to={to}
              className="card border-base-300 bg-base-100 hover:border-base-content/40 w-full gap-1 border p-4 sm:p-5"
            >
              <span className={`flex items-center gap-2.5 ${count > 0 ? tone : 'muted'}`}>
                <Icon name={icon} className="size-5" />
                <span className="text-3xl font-semibold tabular-nums">{inWords(count)}</span>
              </span>
              <span className="muted text-sm">{count === 1 ? one : more}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
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
      <h2 id="filling" className="text-lg">
        How full the classes are
      </h2>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Panel title="Fullest" note="Seats sold">
          {fullest.length > 0 ? (
            <RankedBars ranks={ranksOf(fullest)} />
          ) : (
            <p className="muted text-sm">No class on sale has half of its seats sold yet.</p>
          )}
        </Panel>
        <Panel title="Under 30 %" note={underThirty > 0 && `${inWords(underThirty)} in all`}>
          {emptiest.length > 0 ? (
            <RankedBars ranks={ranksOf(emptiest)} tone="error" />
          ) : (
            <p className="muted text-sm">
              Every class on sale has at least 30 % of its seats sold.
            </p>
          )}
        </Panel>
      </div>
    </section>
  );
}

interface PanelProps {
  title: string;
  note: ReactNode;
  children: ReactNode;
}

function Panel({ title, note, children }: PanelProps) {
  return (
    <div className="card border-base-300 bg-base-100 gap-4 border p-5">
      <div className="flex items-baseline justify-between gap-4">
        <h3 className="font-semibold">{title}</h3>
        <span className="muted text-sm tabular-nums">{note}</span>
      </div>
      {children}
    </div>
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
