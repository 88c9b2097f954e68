// /dashboard/adminhome. The client does not guard it (specification, section 6): without the role of
// an admin it shows the welcome only and makes no call.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import { addDays } from '../../../contract/platform/days.ts';
import { adminFigures, type AdminFigures, type Fill } from '../../../contract/academy/figures.ts';
import { query, useSettings } from '../../platform/api/query.ts';
import { paths } from '../../platform/paths.ts';
import { useSession } from '../../people/session/SessionProvider.tsx';
import { LinkButton } from '../../platform/ui/Button.tsx';
import { Card } from '../../platform/ui/Card.tsx';
import { FillBar } from '../../platform/ui/FillBar.tsx';
import { PageHeading } from '../../platform/ui/PageHeading.tsx';
import { EmptyState, ErrorNote, Skeleton } from '../../platform/ui/States.tsx';
import { todayIn } from '../../platform/ui/dates.ts';
import { FirstSteps } from './FirstSteps.tsx';
import { NeedsYou } from './NeedsYou.tsx';
import { Today } from '../../rollcall/Today.tsx';
import { useListing } from '../../platform/lists/listing.ts';
import { type Period, PeriodFilter, usePeriod } from '../../platform/lists/PeriodFilter.tsx';
import { inWords } from '../../platform/lists/total.ts';
import { DayChart } from '../../platform/ui/DayChart.tsx';
import { money, shortMoney } from '../../platform/ui/money.ts';
import { number } from '../../platform/ui/locale.ts';

export function AdminHome() {
  const { state, user, role, roleLoading, retryRole } = useSession();
  const location = useLocation();
  const period = usePeriod(useListing());
  const isAdmin = role === 'admin';
  const figures = useQuery({
    ...query(adminFigures, asked(period)),
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

/** The server takes both ends, in order, and a year at most. */
const asked = ({ from, to }: Period) =>
  from && to && from <= to && to < addDays(from, 366) ? { from, to } : {};

function Figures({ figures, stale }: { figures: AdminFigures; stale: boolean }) {
  return (
    <div className="flex flex-col gap-8">
      <FirstSteps />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
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
    <div className="grid gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]" aria-busy="true">
      <Skeleton className="h-64" />
      <Skeleton className="h-64" />
      <Skeleton className="h-72 lg:col-span-2" />
    </div>
  );
}

const Ranks = ({ fills }: { fills: readonly Fill[] }) => (
  <ol className="flex flex-col gap-3">
    {fills.map(({ _id, name, sold, capacity }) => (
      <li key={_id} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 text-sm">
        <Link
          to={paths.dashboard.review(_id)}
          className="link-hover link font-medium wrap-anywhere"
        >
          {name}
        </Link>
        <span className="muted tabular-nums">
          {number(sold)} of {number(capacity)}
        </span>
        <FillBar part={sold} whole={capacity} className="col-span-2" />
      </li>
    ))}
  </ol>
);

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
            <Ranks fills={fullest} />
          </Card>
        )}
        {emptiest.length > 0 && (
          <Card
            heading="h3"
            title="Under 30 %"
            actions={<span className="meta">{inWords(underThirty)} in all</span>}
          >
            <Ranks fills={emptiest} />
          </Card>
        )}
      </div>
    </section>
  );
}

function Sales({ figures, stale }: { figures: AdminFigures; stale: boolean }) {
  const { days, before, revenue, enrolments } = figures;
  const listing = useListing();
  const { to = '' } = usePeriod(listing);
  const today = todayIn(useSettings().timeZone);
  const ended = to !== '' && to < today;
  const inDays = days.length === 1 ? '1 day' : `${days.length} days`;
  return (
    <section aria-labelledby="sales" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h2 id="sales" className="heading">
            Sales
          </h2>
          <p className="meta tabular-nums">
            {money(revenue)} and {number(enrolments)} enrolments since the academy began, without
            refunds.
          </p>
        </div>
        <div className="grid gap-4 max-sm:w-full sm:grid-flow-col sm:*:min-w-40">
          <PeriodFilter listing={listing} otherwise="30 days" />
        </div>
      </div>
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
