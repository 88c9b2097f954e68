// Who is signed in: the state that the whole app watches.
import type { AuthUser } from '../../../contract/signin/signin.ts';

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

let current = unknown;
const watchers = new Set<() => void>();

export const read = () => current;

export function watch(watcher: () => void) {
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
  };
}

export function setState(next: AuthState) {
  current = next;
  // The stylesheet chooses between the signed-in and the signed-out navbar by this, before and
  // after hydration alike.
  if (next.state !== 'loading') document.documentElement.dataset.auth = next.state;
  for (const watcher of watchers) watcher();
}
