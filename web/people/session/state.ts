// Who is signed in: the state that the whole app watches.
import type { AuthUser } from '../../../contract/signin/signin.ts';
import { watched } from '../../platform/ui/watched.ts';

export interface AuthState {
  state: 'loading' | 'in' | 'out';
  user: AuthUser | null;
  /** While loading: the server does not answer, and is asked again from time to time. */
  failing?: boolean;
}

/**
 * The server never knows who looks, so every page starts as "loading" and the browser finds out.
 */
export const unknown: AuthState = { state: 'loading', user: null };

const current = watched(unknown);
export const { read, useNow: useAuthState } = current;

export function setState(next: AuthState) {
  // The stylesheet chooses between the signed-in and the signed-out navbar by this, before and
  // after hydration alike.
  if (next.state !== 'loading') document.documentElement.dataset.auth = next.state;
  current.write(next);
}
