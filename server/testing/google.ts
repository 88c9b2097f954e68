// A person who signs in with Google or another OpenID Connect issuer: starts the issuer and goes
// through its pages up to the redirect back to us.
import { type TestApp, unique } from './app.ts';
import { type IssuerAccount, startIssuer } from './issuer.ts';
import { inTheEnd } from './tidy.ts';
import type { Visitor } from './visitor.ts';

export const publicUrl = 'http://localhost:3000';
export const client = { clientId: 'rally', clientSecret: 'a secret of the issuer' };

/** An issuer for this test file, and accounts at it. */
export async function aGoogle() {
  const accounts: IssuerAccount[] = [];
  const options = { ...client, redirectUri: `${publicUrl}/api/auth/callback/google`, accounts };
  const issuer = await startIssuer(options);
  inTheEnd(() => issuer.close());
  function anAccount(given: Partial<IssuerAccount> = {}): IssuerAccount {
    const account = {
      sub: unique('sub'),
      email: `${unique('grace')}@example.com`,
      email_verified: true,
      name: 'Grace Hopper',
      picture: 'https://example.com/grace.png',
      ...given,
    };
    accounts.push(account);
    return account;
  }

  return { issuer, options, anAccount };
}

export const start = (visitor: Visitor, form: object = {}) =>
  visitor.auth('sign-in/social', {
    provider: 'google',
    callbackURL: '/classes',
    errorCallbackURL: '/login',
    ...form,
  });

/**
 * Goes through the issuer's pages, chooses an account (or Cancel), and returns the redirect back to
 * us.
 */
export async function walk(url: string, sub: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let next = new URL(url);
  let form: URLSearchParams | null = null;
  for (let step = 0; step < 10; step++) {
    const answer: Response = await fetch(next, {
      redirect: 'manual',
      method: form ? 'POST' : 'GET',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form ? { body: form } : {}),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split(/=(.*)/s);
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    form = location ? null : new URLSearchParams({ sub });
    if (!location) continue;
    next = new URL(location, next);
    if (next.origin === publicUrl) return next;
  }
  throw new Error('The issuer did not send us back');
}

export async function signInWithGoogle(visitor: Visitor, sub: string, form?: object) {
  const { body } = await start(visitor, form);
  const back = await walk(String(body['url']), sub);
  const answer = await visitor.ask('GET', back.pathname + back.search);
  return { answer, location: String(answer.headers['location']) };
}

/** The account on an address, with its ways in; null where there is none. */
export async function waysInto(of: TestApp, email: string) {
  const { rows } = await of.pool.query<{ proven: boolean; sub: string | null; password: boolean }>(
    `select u.id, name, image, role, proven_at is not null as proven, google_sub as sub,
       password_hash is not null as password
     from "user" u left join login on user_id = u.id where email = $1`,
    [email],
  );
  return rows[0] ?? null;
}
