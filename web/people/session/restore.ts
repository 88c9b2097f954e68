// Restores the session when the page opens, and follows other tabs, the clock and the connection.
import { messages } from '../../../contract/platform/messages.ts';
import { createUser } from '../../../contract/people/users.ts';
import { ApiError, send } from '../../platform/api/send.ts';
import { guardToken, token } from '../../platform/api/token.ts';
import { toast } from '../../platform/ui/alert.ts';
import { forgetOldRosters } from './phone.ts';
import {
  type Dependencies,
  enter,
  keepFresh,
  leave,
  refused,
  renew,
  sessionUser,
  setDependencies,
  stopRenewal,
} from './renewal.ts';
import { read, setState } from './state.ts';

/** Starts watching token, tabs and clock; called once by SessionProvider. Returns how to stop. */
export function begin(given: Dependencies) {
  setDependencies(given);
  forgetOldRosters();
  guardToken({ renew, refused });
  const watching = new AbortController();
  const { signal } = watching;
  addEventListener('storage', otherTab, { signal });
  addEventListener('focus', awake, { signal });
  document.addEventListener('visibilitychange', awake, { signal });
  addEventListener('pageshow', restored, { signal });
  addEventListener('online', restoreAgain, { signal });
  if (read().state === 'loading') void restoreSession();
  return () => {
    watching.abort();
    stopRenewal();
    clearTimeout(again);
  };
}

function otherTab(event: StorageEvent) {
  if (!token.isKey(event.key) && event.key !== null) return;
  if (token.read() === null) leave();
  else if (read().state !== 'in') void restoreSession();
}

function awake() {
  if (document.visibilityState === 'visible') void keepFresh();
}

/**
 * Back from Google's page by the back button: the browser woke the page as it was left, in the
 * middle of signing in.
 */
function restored(event: PageTransitionEvent) {
  if (event.persisted && read().state === 'loading') void restoreSession();
}

/** Marks in sessionStorage that the page was left for Google. */
export const fromGoogle = 'google-sign-in';

/** Asks the identity provider whose session the cookie holds. */
async function restoreSession() {
  let isKnown = token.read() !== null;
  try {
    const user = await insist(sessionUser);
    if (!user) return leave();
    isKnown = true;
    const back = sessionStorage.getItem(fromGoogle) !== null;
    sessionStorage.removeItem(fromGoogle);
    if (back)
      await insist(() => send(createUser, { name: user.name, email: user.email, role: 'student' }));
    await insist(() => enter(user));
    if (back) toast(messages.loggedIn);
  } catch (error) {
    if (read().state !== 'loading') return;
    const refused = error instanceof ApiError && (error.status === 401 || error.status === 403);
    // A token or a session says that this browser is signed in. Only an answer can say that it no
    // longer is.
    if (!isKnown || refused) setState({ state: 'out', user: null });
    else {
      setState({ state: 'loading', user: null, failing: true });
      again = setTimeout(restoreAgain, 5_000);
    }
  }
}

let again: ReturnType<typeof setTimeout> | undefined;

export function restoreAgain() {
  if (again === undefined) return;
  clearTimeout(again);
  again = undefined;
  void restoreSession();
}

/**
 * Tries again: on a phone an answer can get lost, and a server may be busy. Neither means that the
 * user is signed out.
 */
async function insist<T>(ask: () => Promise<T>): Promise<T> {
  for (const pauseMs of [300, 1_000, 2_000]) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiError) || (error.status > 0 && error.status < 500)) throw error;
      // In airplane mode there is nothing to wait for: the event `online` tries again.
      if (!navigator.onLine) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  return ask();
}
