// Calls to the sign-in routes, which use the session cookie.
import type { AuthUser } from '../../../contract/signin/identity.ts';
import { reach, refusal } from '../../platform/api/send.ts';

export async function identity<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
  const response = await reach(`/api/auth${path}`, {
    method,
    headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw await refusal(response);
  return (await response.json()) as T;
}

/** The user whose session the cookie holds. */
export async function sessionUser(): Promise<AuthUser | null> {
  const found = await identity<{ user: AuthUser } | null>('GET', '/get-session');
  return found ? asUser(found.user) : null;
}

export const asUser = ({ id, email, name, image }: AuthUser): AuthUser => ({
  id,
  email,
  name,
  image: image ?? null,
});
