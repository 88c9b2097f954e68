// /dashboard/adminhome: a welcome, what waits for a decision, and the academy in figures. The
// client does not guard it (section 6): without the role of an admin it shows the welcome only and
// makes no call.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { adminFigures } from '../../../contract/figures.ts';
import type { AdminFigures } from '../../../contract/figures.ts';
import { query } from '../../api/query.ts';
import { ApproveDeny } from '../../features/classes/ApproveDeny.tsx';
import { PageHeading } from '../../ui/PageHeading.tsx';
import { WhatChanged } from '../../features/classes/WhatChanged.tsx';
import { dateOf } from '../../ui/dates.ts';
import { paths } from '../../paths.ts';
import { useSession } from '../../session/SessionProvider.tsx';
import { DayChart, PartsChart } from '../../ui/Chart.tsx';
import { EmptyState, ErrorNote, Skeleton } from '../../ui/States.tsx';
import { money } from '../../ui/money.ts';

export function AdminHome() {
  const { user, role, roleLoading } = useSession();
  const isAdmin = role === 'admin';
  const figures = useQuery({ ...query(adminFigures, {}), enabled: isAdmin });

  return (
    <>
      <PageHeading
        title="Admin Home"
        shown={isAdmin && user ? `Welcome back, ${user.name}` : 'Welcome to the Admin Home'}
      >
        What needs you, who is here and what is sold.
      </PageHeading>
      {!isAdmin && !roleLoading && (
        <EmptyState title="For admins only">
          Log in with an admin account to see the figures of the academy.
        </EmptyState>
      )}
      {figures.error && !figures.data && (
        <ErrorNote message={figures.error.message} onRetry={() => void figures.refetch()} />
      )}
      {figures.data && <Figures figures={figures.data} />}
      {(roleLoading || (isAdmin && figures.isPending)) && <Waiting />}
    </>
  );
}

function Figures({ figures }: { figures: AdminFigures }) {
  const { users, classes, seats, days, attention } = figures;
  return (
    <div className="flex flex-col gap-6">
      {attention > 0 && (
        <Link
          to={paths.dashboard.attention}
          className="alert alert-error alert-soft w-fit font-semibold"
        >
          {attention === 1 ? '1 payment or refund needs' : `${attention} payments or refunds need`}{' '}
          a human
        </Link>
      )}
      <WaitingClasses waiting={figures.waiting} pending={classes.pending} />
      <section aria-labelledby="figures" className="flex flex-col gap-4">
        <h2 id="figures" className="text-lg">
          The academy in figures
        </h2>
        <div className="grid gap-4 sm:grid-cols-2">
          <Figure label="Revenue" value={money(figures.revenue)} />
          <Figure label="Enrolments" value={figures.enrolments.toLocaleString('en-US')} />
        </div>
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
        <div className="grid gap-4 xl:grid-cols-2">
          <DayChart
            title="Revenue per day"
            format={money}
            points={days.map(({ day, revenue }) => ({ day, value: revenue }))}
          />
          <DayChart
            title="Enrolments per day"
            tone="secondary"
            format={String}
            points={days.map(({ day, enrolments }) => ({ day, value: enrolments }))}
          />
        </div>
      </section>
    </div>
  );
}

function WaitingClasses({
  waiting,
  pending,
}: {
  waiting: AdminFigures['waiting'];
  pending: number;
}) {
  return (
    <section aria-labelledby="waiting" className="card border border-base-300 bg-base-100">
      <div className="card-body gap-3 p-5">
        <div className="flex flex-wrap items-baseline justify-between gap-2">
          <h2 id="waiting" className="text-lg">
            Waiting for your decision
          </h2>
          <Link to={`${paths.dashboard.manageClasses}?status=pending`} className="link text-sm">
            {pending === 0
              ? 'All classes'
              : pending === 1
                ? 'See the pending class'
                : `See all ${pending} pending`}
          </Link>
        </div>
        {waiting.length === 0 ? (
          <p className="muted">
            Nothing to review. New classes appear here as soon as an instructor adds one.
          </p>
        ) : (
          <ul className="divide-y divide-base-300">
            {waiting.map((row) => (
              <li key={row._id} className="flex flex-wrap items-center justify-between gap-3 py-3">
                <div className="min-w-0">
                  <p className="font-semibold wrap-anywhere">{row.name}</p>
                  <p className="text-sm muted">
                    {row.instructor} · since {dateOf(row.since)}
                  </p>
                  <WhatChanged changed={row.changed} feedback={row.feedback} />
                  {row.changed && row.feedback && (
                    <p className="muted line-clamp-2 text-sm wrap-anywhere">
                      Your feedback: {row.feedback}
                    </p>
                  )}
                </div>
                <div className="flex gap-2">
                  <ApproveDeny
                    _id={row._id}
                    name={row.name}
                    status="pending"
                    version={row.version}
                  />
                </div>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div className="card border border-base-300 bg-base-100">
      <div className="card-body gap-0 p-5">
        <p className="text-sm muted">{label}</p>
        <p className="text-3xl font-bold tabular-nums">{value}</p>
      </div>
    </div>
  );
}

function Waiting() {
  return (
    <div className="grid gap-4 sm:grid-cols-2" aria-busy="true">
      <Skeleton className="h-40 sm:col-span-2" />
      <Skeleton className="h-28" />
      <Skeleton className="h-28" />
    </div>
  );
}
