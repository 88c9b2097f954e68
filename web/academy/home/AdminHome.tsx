// /dashboard/adminhome. The client does not guard it (specification, section 6): without the role of
// an admin it shows the welcome only and makes no call.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useLocation, useSearchParams } from 'react-router';
import { adminFigures } from '../../../contract/academy/figures.ts';
import type { AdminFigures } from '../../../contract/academy/figures.ts';
import { query, useSettings } from '../../platform/api/query.ts';
import { paths } from '../../platform/paths.ts';
import { useSession } from '../../people/session/SessionProvider.tsx';
import { LinkButton } from '../../platform/ui/Button.tsx';
import { PartsChart } from '../../platform/ui/Chart.tsx';
import { PageHeading } from '../../platform/ui/PageHeading.tsx';
import { EmptyState, ErrorNote, Skeleton } from '../../platform/ui/States.tsx';
import { todayIn } from '../../platform/ui/dates.ts';
import { Filling } from './Filling.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { NeedsYou } from './NeedsYou.tsx';
import { figuresOf } from './period.ts';
import { Sales } from './Sales.tsx';
import { WaitingClasses } from './WaitingClasses.tsx';

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
