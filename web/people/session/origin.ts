// Where a user was before the sign-in page, carried in the history's state and nowhere
// else (never a full URL).
import { ownPath } from '../../../contract/platform/ownpath.ts';
import { paths } from '../../platform/paths.ts';

const anyOrigin = 'http://localhost';

/** The path to go back to after signing in or up; home when there is none. */
export function originOf(state: unknown): string {
  if (typeof state !== 'object' || state === null || !('from' in state)) return paths.home;
  const from = state.from;
  if (typeof from !== 'object' || from === null || !('pathname' in from)) return paths.home;
  const {
    pathname,
    search = '',
    hash = '',
  } = from as { pathname: unknown; search?: string; hash?: string };
  return ownPath(`${String(pathname)}${search}${hash}`, anyOrigin);
}
