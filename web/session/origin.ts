// Where a user was before the sign-in page, carried in the history's state and nowhere
// else (never a full URL).
import { safePath } from '../paths.ts';

/** The path to go back to after signing in or up; home when there is none. */
export function originOf(state: unknown): string {
  if (typeof state !== 'object' || state === null || !('from' in state)) return safePath(null);
  const from = state.from;
  if (typeof from !== 'object' || from === null || !('pathname' in from)) return safePath(null);
  const {
    pathname,
    search = '',
    hash = '',
  } = from as { pathname: unknown; search?: string; hash?: string };
  return safePath(`${String(pathname)}${search}${hash}`);
}
