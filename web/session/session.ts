// Who is signed in: signing up, in and out, the access token's renewal, and the state that the
// whole app watches.
// Not for: what a role may see (app/guards.tsx) or the forms (pages/Login.tsx, pages/Signup.tsx).
import type { QueryClient } from '@tanstack/react-query';
import { listClasses } from '../../contract/classes.ts';
import { type AuthUser, jwt, settings } from '../../contract/identity.ts';
import { listInstructors } from '../../contract/instructors.ts';
import { messages } from '../../contract/messages.ts';
import { createUser } from '../../contract/users.ts';
import { ApiError, reach, refusal, send } from '../api/send.ts';
import { guardToken, lifeLeft, renewBelow, token } from '../api/token.ts';
import { toast } from '../ui/alert.ts';

export interface AuthState {
  state: 'loading' | 'in' | 'out';
  user: AuthUser | null;
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

function setState(next: AuthState) {
  current = next;
  // The stylesheet chooses between the signed-in and the signed-out navbar by this, before and
  // after hydration alike.
  if (next.state !== 'loading') document.documentElement.dataset.auth = next.state;
  for (const watcher of watchers) watcher();
}

interface Dependencies {
  client: QueryClient;
  /** Leads to the sign-in page, carrying where the user was. */
  goToLogin: () => void;
}

let dependencies: Dependencies | null = null;

/** Starts watching token, tabs and clock; called once by SessionProvider. Returns how to stop. */
export function begin(given: Dependencies) {
  dependencies = given;
  guardToken({ renew, refused });
  addEventListener('storage', otherTab);
  addEventListener('focus', awake);
  document.addEventListener('visibilitychange', awake);
  addEventListener('pageshow', restored);
  addEventListener('online', restoreAgain);
  if (current.state === 'loading') void restoreSession();
  return () => {
    removeEventListener('storage', otherTab);
    removeEventListener('focus', awake);
    document.removeEventListener('visibilitychange', awake);
    removeEventListener('pageshow', restored);
    removeEventListener('online', restoreAgain);
    clearTimeout(timer);
    clearTimeout(again);
  };
}

function otherTab(event: StorageEvent) {
  if (!token.isKey(event.key) && event.key !== null) return;
  if (token.read() === null) leave();
  else if (current.state !== 'in') void restoreSession();
}

function awake() {
  if (document.visibilityState === 'visible') void keepFresh();
}

/**
 * Back from Google's page by the back button: the browser woke the page as it was left, in the
 * middle of signing in.
 */
function restored(event: PageTransitionEvent) {
  if (event.persisted && current.state === 'loading') void restoreSession();
}

const fromGoogle = 'google-sign-in';

/** Asks the identity provider whose session the cookie holds. */
async function restoreSession() {
  try {
    const user = await insist(sessionUser);
    if (!user) return leave();
    const back = sessionStorage.getItem(fromGoogle) !== null;
    sessionStorage.removeItem(fromGoogle);
    if (back)
      await insist(() => send(createUser, { name: user.name, email: user.email, role: 'student' }));
    await insist(() => enter(user));
    if (back) toast(messages.loggedIn);
  } catch (error) {
    if (current.state !== 'loading') return;
    const refused = error instanceof ApiError && (error.status === 401 || error.status === 403);
    // A token says that this browser was signed in. Only an answer can say that it no longer is.
    if (token.read() === null || refused) setState({ state: 'out', user: null });
    else again = setTimeout(restoreAgain, 5_000);
  }
}

let again: ReturnType<typeof setTimeout> | undefined;

function restoreAgain() {
  if (again === undefined) return;
  clearTimeout(again);
  again = undefined;
  void restoreSession();
}

/**
 * On a phone an answer gets lost now and then, and a server may be busy: no reason yet to call
 * somebody signed out.
 */
async function insist<T>(ask: () => Promise<T>): Promise<T> {
  for (const pauseMs of [300, 1_000, 2_000]) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiError) || (error.status > 0 && error.status < 500)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  return ask();
}

async function sessionUser(): Promise<AuthUser | null> {
  const found = await identity<{ user: AuthUser } | null>('GET', '/get-session');
  return found ? asUser(found.user) : null;
}

const asUser = ({ id, email, name, image }: AuthUser): AuthUser => ({
  id,
  email,
  name,
  image: image ?? null,
});

/** Gets the access token for the session and tells the app. */
async function enter(user: AuthUser) {
  const stored = token.read();
  if (!stored || lifeLeft(stored) < renewBelow)
    token.store((await send(jwt, { email: user.email })).token);
  setState({ state: 'in', user });
  schedule();
}

let timer: ReturnType<typeof setTimeout> | undefined;

function schedule() {
  clearTimeout(timer);
  const stored = token.read();
  if (stored)
    timer = setTimeout(() => void keepFresh(), Math.max(1_000, lifeLeft(stored) - renewBelow));
}

async function keepFresh() {
  const stored = token.read();
  if (current.state !== 'in' || (stored && lifeLeft(stored) >= renewBelow)) return;
  await renew().catch(() => null);
  if (current.state === 'in') schedule();
}

let renewing: Promise<string | null> | null = null;

function renew(): Promise<string | null> {
  renewing ??= renewOnce().finally(() => {
    renewing = null;
  });
  return renewing;
}

async function renewOnce(): Promise<string | null> {
  try {
    const email = current.user?.email ?? (await sessionUser())?.email;
    if (!email) {
      leave();
      return null;
    }
    const { token: next } = await send(jwt, { email });
    token.store(next);
    return next;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      leave();
      return null;
    }
    // Out of reach for now: what is left of the old token may still do.
    const stored = token.read();
    if (stored && lifeLeft(stored) > 0) return stored;
    throw error;
  }
}

/**
 * 401 or 403 on a call with a token: signed out and sent to /login (specification, section 6), once
 * however many calls failed.
 */
function refused() {
  if (token.read() === null) return;
  leave();
  void identity('POST', '/sign-out', {}).catch(() => null);
  dependencies?.goToLogin();
}

function leave() {
  clearTimeout(timer);
  token.remove();
  setState({ state: 'out', user: null });
  dependencies?.client.removeQueries({ predicate: ({ queryKey }) => !isForEverybody(queryKey) });
}

/** What a visitor may read as well need not be read again when somebody signs out. */
function isForEverybody([id, input]: readonly unknown[]): boolean {
  if (id === listClasses.id)
    return typeof input === 'object' && input !== null && 'status' in input;
  return id === settings.id || id === listInstructors.id;
}

/**
 * Runs a change of who is signed in under the loading flag of section 4, which falls again when it
 * fails.
 */
async function withLoading<T>(work: () => Promise<T>): Promise<T> {
  const before = current.state === 'loading' ? { state: 'out' as const, user: null } : current;
  setState({ ...before, state: 'loading' });
  try {
    return await work();
  } catch (error) {
    setState(before);
    throw error;
  }
}

/**
 * `code`: the password was right, and the code of an authenticator app is wanted as well
 * (secondStep).
 */
export const signIn = ({ email, password }: { email: string; password: string }) =>
  withLoading(async (): Promise<'in' | 'code'> => {
    const { user } = await identity<{ user?: AuthUser }>('POST', '/sign-in/email', {
      email,
      password,
    });
    if (user) {
      await enterAnew(user);
      return 'in';
    }
    setState({ state: 'out', user: null });
    return 'code';
  });

/** Six digits of the app, or a backup code. */
export const secondStep = (code: string) =>
  withLoading(async () => {
    const { user } = await identity<{ user: AuthUser }>('POST', '/sign-in/second-step', { code });
    await enterAnew(user);
  });

/** A token that is still there may be somebody else's. */
async function enterAnew(user: AuthUser) {
  token.remove();
  await enter(asUser(user));
}

/**
 * Signing up answers alike whether the email is known or not, so the proof is the sign-in that
 * follows. When that fails, an account with another password exists, or the mailbox must be
 * confirmed first: the message serves both.
 */
export const signUp = (form: { name: string; image: string; email: string; password: string }) =>
  withLoading(async () => {
    await identity('POST', '/sign-up/email', form);
    const { user } = await identity<{ user: AuthUser }>('POST', '/sign-in/email', {
      email: form.email,
      password: form.password,
    }).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status === 0 || error.status >= 429) throw error;
      throw new ApiError(error.status, {
        code: 'SIGN_IN_INSTEAD',
        message:
          'Please check your mailbox, or log in: if you already have an account, its password still holds.',
      });
    });
    await send(createUser, { name: form.name, email: form.email, role: 'student' });
    await enterAnew(user);
  });

export const signOut = () =>
  withLoading(async () => {
    await identity('POST', '/sign-out', {});
    leave();
  });

/**
 * Leaves the page for Google (or the configured issuer) and comes back to `returnTo`, a path of
 * ours.
 */
export const signInWithGoogle = (returnTo: string) =>
  withLoading(async () => {
    const { url } = await identity<{ url: string }>('POST', '/sign-in/social', {
      provider: 'google',
      callbackURL: returnTo,
      errorCallbackURL: '/login?error=google',
    });
    sessionStorage.setItem(fromGoogle, 'yes');
    location.assign(url);
  });

export const requestReset = (email: string) =>
  identity('POST', '/request-password-reset', { email });

export const resetPassword = (form: { token: string; newPassword: string }) =>
  identity('POST', '/reset-password', form);

export interface CheckedLink {
  works: boolean;
  email?: string;
  confirmed?: boolean;
  /** This browser holds a session of the account that the link names. */
  signedIn?: boolean;
}

/** Whether a mailed link still works; nothing is spent by asking. */
export const checkLink = (link: { kind: 'confirm' | 'reset'; token: string }) =>
  identity<CheckedLink>('POST', '/check-link', link);

export const confirmAddress = (form: { token: string; password?: string; newPassword?: string }) =>
  identity('POST', '/verify-email', form);

/** `already`: the address is confirmed, so nothing was sent. */
export const sendConfirmation = () =>
  identity<{ already?: true }>('POST', '/send-verification-email', {});

export async function updateProfile(profile: { name?: string; image?: string }) {
  await identity('POST', '/update-user', profile);
  const user = await sessionUser();
  if (user) setState({ state: 'in', user });
}

/** These give this browser a new session; the old token has ended with the old one. */
async function withNewSession<T>(path: string, form: object): Promise<T> {
  const answer = await identity<T>('POST', path, form);
  token.remove();
  await renew();
  schedule();
  return answer;
}

export const changePassword = (form: {
  currentPassword: string;
  newPassword: string;
  confirmPassword: string;
}) => withNewSession('/change-password', form);

export const beginTwoFactor = (form: { password: string }) =>
  identity<{ uri: string; secret: string; backupCodes: string[] }>(
    'POST',
    '/two-factor/enable',
    form,
  );

export const turnOnTwoFactor = (code: string) => withNewSession('/two-factor/verify', { code });

export const turnOffTwoFactor = (form: { password: string; code: string }) =>
  withNewSession('/two-factor/disable', form);

export const newBackupCodes = async (form: { password: string; code: string }) =>
  (await identity<{ backupCodes: string[] }>('POST', '/two-factor/backup-codes', form)).backupCodes;

export const signOutElsewhere = () => identity('POST', '/revoke-other-sessions', {});

/** The account is gone, and its sessions with it; what is left are cookies. */
export async function forgetSession() {
  leave();
  await identity('POST', '/sign-out', {}).catch(() => null);
}

async function identity<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
  const response = await reach(`/api/auth${path}`, {
    method,
    headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw await refusal(response);
  return (await response.json()) as T;
}
