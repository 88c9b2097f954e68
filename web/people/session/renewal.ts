// The access token of a session: gets it, renews it before it ends, and removes it.
import type { Query, QueryClient } from '@tanstack/react-query';
import { listCalendar, nextMeeting } from '../../../contract/classes/calendar.ts';
import { getClass, listClasses } from '../../../contract/classes/classes.ts';
import { type AuthUser, getSession, jwt, signOut } from '../../../contract/signin/signin.ts';
import { settings } from '../../../contract/platform/settings.ts';
import { listInstructors } from '../../../contract/classes/instructors.ts';
import { listPlaces } from '../../../contract/classes/places.ts';
import { ApiError, send } from '../../platform/api/send.ts';
import { lifeLeft, renewBelow, token, tokenOwner } from '../../platform/api/token.ts';
import { forgetRosters } from './phone.ts';
import { markKnownHere } from './selection.ts';
import { read, setState } from './state.ts';

export interface Dependencies {
  client: QueryClient;
  /** Leads to the sign-in page, carrying where the user was. */
  goToLogin: () => void;
}

let dependencies: Dependencies | null = null;

export function setDependencies(given: Dependencies) {
  dependencies = given;
}

/** The user whose session the cookie holds. */
export const sessionUser = async () => (await send(getSession, {}))?.user ?? null;

/**
 * Gets the access token for the session and tells the app. A token of another account may be left: its
 * tab was closed before the new session had one.
 */
export async function enter(user: AuthUser) {
  const stored = token.read();
  if (!stored || tokenOwner() !== user.id || lifeLeft(stored) < renewBelow)
    token.store((await send(jwt, { email: user.email })).token);
  markKnownHere();
  setState({ state: 'in', user });
  schedule();
}

let timer: ReturnType<typeof setTimeout> | undefined;

export function schedule() {
  clearTimeout(timer);
  const stored = token.read();
  if (stored)
    timer = setTimeout(() => void keepFresh(), Math.max(1_000, lifeLeft(stored) - renewBelow));
}

export const stopRenewal = () => clearTimeout(timer);

export async function keepFresh() {
  const stored = token.read();
  if (read().state !== 'in' || (stored && lifeLeft(stored) >= renewBelow)) return;
  await renew().catch(() => null);
  if (read().state === 'in') schedule();
}

let renewing: Promise<string | null> | null = null;

export function renew(): Promise<string | null> {
  renewing ??= renewOnce().finally(() => {
    renewing = null;
  });
  return renewing;
}

async function renewOnce(): Promise<string | null> {
  try {
    const email = read().user?.email ?? (await sessionUser())?.email;
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
export function refused() {
  if (token.read() === null) return;
  leave();
  void send(signOut, {}).catch(() => null);
  dependencies?.goToLogin();
}

export function leave() {
  // A visitor has read public data only. Without their data, reads under way would never end.
  const isVisitor = read().state === 'loading' && token.read() === null;
  clearTimeout(timer);
  token.remove();
  setState({ state: 'out', user: null });
  if (isVisitor) return;
  forgetRosters();
  dependencies?.client.removeQueries({ predicate: (query) => !isPublic(query) });
}

/** Reads under way would be answered with 401 once the session has ended. */
export const cancelReads = () =>
  dependencies?.client.cancelQueries({ predicate: (query) => !isPublic(query) });

const alwaysPublic = new Set([
  settings.id,
  listInstructors.id,
  listCalendar.id,
  nextMeeting.id,
  listPlaces.id,
]);

/**
 * Public data is kept after a sign-out: a visitor may read it, too. A class is, unless it was read
 * as its instructor or as an admin, who get the feedback.
 */
function isPublic({ queryKey: [id, input], state: { data } }: Pick<Query, 'queryKey' | 'state'>) {
  if (id === listClasses.id)
    return (
      typeof input === 'object' &&
      input !== null &&
      'status' in input &&
      input.status === 'approved'
    );
  if (id === getClass.id) return typeof data === 'object' && data !== null && !('feedback' in data);
  return alwaysPublic.has(String(id));
}
