// Who may see a page in the browser (specification, sections 4 and 6). Not for safety: the server
// checks every call itself.
import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import type { Role } from '../../contract/platform/call.ts';
import { dashboardOf, paths } from '../platform/paths.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { useTeaches } from '../people/session/teaches.ts';
import { NoAnswer, PageSkeleton } from '../platform/ui/States.tsx';

export function RequireSignedIn({ children }: { children: ReactNode }) {
  const { state, retryRole } = useSession();
  const from = useLocation();
  if (retryRole) return <NoAnswer onRetry={retryRole} />;
  if (state === 'loading') return <PageSkeleton />;
  return state === 'in' ? children : <Navigate to={paths.login} state={{ from }} replace />;
}

export function RequireRole({ of: wanted, children }: { of: Role; children: ReactNode }) {
  const { role, roleLoading, retryRole } = useSession();
  const teaches = useTeaches();
  const from = useLocation();
  const suffices = role === wanted || (wanted === 'instructor' && teaches);
  if (roleLoading || suffices === undefined) return <PageSkeleton />;
  if (retryRole) return <NoAnswer onRetry={retryRole} />;
  return suffices ? children : <Navigate to={paths.home} state={{ from }} replace />;
}

/** /dashboard itself: on to the first page of the role. */
export function DashboardStart() {
  const { state, role, roleLoading, retryRole } = useSession();
  const from = useLocation();
  if (roleLoading) return <PageSkeleton />;
  if (retryRole) return <NoAnswer onRetry={retryRole} />;
  return state === 'in' ? (
    <Navigate to={dashboardOf(role)} replace />
  ) : (
    <Navigate to={paths.login} state={{ from }} replace />
  );
}
