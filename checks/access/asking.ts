// How the access matrix asks a call, and what the declaration of a call says about its callers. The
// rows: matrix.ts.
import { accessOf, address, type AnyCall, isInQuery } from '../../contract/platform/call.ts';
import { aPicture } from '../../server/testing/pictures.ts';
import { app, people, type Person } from './owned.ts';

export type Headers = Record<string, string>;
export const bearer = (token: string | undefined): Headers =>
  token ? { authorization: `Bearer ${token}` } : {};

const picture = await aPicture();

export async function ask(call: AnyCall, input: object, headers: Headers, extra: object = {}) {
  const { path, rest } = address(call, input);
  const sent = { ...rest, ...extra };
  const inQuery = isInQuery(call);
  return app.ask({
    method: call.method,
    url: path,
    ...(inQuery ? { query: sent as Record<string, string> } : { payload: sent }),
    ...(call.takes && { payload: picture }),
    headers: { ...headers, ...(call.takes && { 'content-type': 'image/jpeg' }) },
  });
}

/** What the declaration alone says: null when this caller may call. */
export function refusedBy(call: AnyCall, person: Person): number | null {
  const access = accessOf(call);
  if (access.includes('session')) return 401;
  const roles: readonly string[] = access.filter(
    (word) => word === 'instructor' || word === 'admin',
  );
  const open = access.some((word) => word === 'public' || word === 'signed-in' || word === 'self');
  return open || roles.includes(people[person].role) ? null : 403;
}
