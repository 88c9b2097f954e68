// Makes the session known to every component: who is signed in and, by the server's two checks, in
// which role.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { AuthUser } from '../../../contract/signin/signin.ts';
import { isAdmin, isInstructor } from '../../../contract/people/users.ts';
import { type Role } from '../../../contract/platform/call.ts';
import { query } from '../../platform/api/query.ts';
import { paths } from '../../platform/paths.ts';
import { begin, restoreAgain } from './restore.ts';
import { unknown, useAuthState } from './state.ts';

export interface Session {
  /** `loading` from the start of a sign-in, sign-up or sign-out until the change has arrived. */
  state: 'loading' | 'in' | 'out';
  user: AuthUser | null;
  role: Role | null;
  roleLoading: boolean;
  /** There when user or role are unknown because the server did not answer: asks again. */
  retryRole?: (() => void) | undefined;
}

export const SessionContext = createContext<Session>({ ...unknown, role: null, roleLoading: true });

export const useSession = () => useContext(SessionContext);

export function SessionProvider({ children }: { children: ReactNode }) {
  const { state, user, failing = false } = useAuthState();
  const email = user?.email ?? '';
  const enabled = state === 'in' && email !== '';
  const admin = useQuery({ ...query(isAdmin, { email }), enabled });
  const instructor = useQuery({ ...query(isInstructor, { email }), enabled });
  const roleLoading =
    (state === 'loading' && !failing) || (enabled && (admin.isPending || instructor.isPending));
  const failed = enabled && (admin.isLoadingError || instructor.isLoadingError);
  const role =
    enabled && !roleLoading && !failed
      ? roleOf(admin.data?.admin, instructor.data?.instructor)
      : null;
  const { refetch: askAdmin } = admin;
  const { refetch: askInstructor } = instructor;
  const session = useMemo(() => {
    const retryRole = () => {
      if (failing) return restoreAgain();
      void askAdmin();
      void askInstructor();
    };
    return { state, user, role, roleLoading, ...((failed || failing) && { retryRole }) };
  }, [state, user, role, roleLoading, failed, failing, askAdmin, askInstructor]);
  return <SessionContext value={session}>{children}</SessionContext>;
}

function roleOf(admin: boolean | undefined, instructor: boolean | undefined): Role {
  if (admin) return 'admin';
  return instructor ? 'instructor' : 'student';
}

/**
 * Starts the session. It is rendered inside the pages' Suspense boundary, so its effect runs after
 * they are hydrated: until then the session is unknown and matches the server's HTML.
 */
export function SessionStart() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const location = useLocation();
  const latest = useRef({ navigate, location });
  useEffect(() => {
    latest.current = { navigate, location };
  });
  useEffect(() => {
    let stop: (() => void) | undefined;
    const goToLogin = () => {
      const { navigate, location } = latest.current;
      void navigate(paths.login, { state: { from: location } });
    };
    const start = () => void (stop = begin({ client, goToLogin }));
    // A change of the session makes React take over all cards at once: 300 to 700 ms on a slow phone.
    // Safari cannot wait until they are.
    if (!('requestIdleCallback' in globalThis)) start();
    else {
      const waits = requestIdleCallback(start, { timeout: 500 });
      stop = () => cancelIdleCallback(waits);
    }
    return () => stop?.();
  }, [client]);
  return null;
}
