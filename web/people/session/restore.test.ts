// @vitest-environment happy-dom
// What a page takes its reader for when the server does not answer.
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { token } from '../../platform/api/token.ts';
import { begin } from './restore.ts';
import { read, setState, unknown } from './state.ts';

const user = { id: 'a', name: 'A', email: 'a@example.com', image: null };

beforeEach(() => {
  vi.useFakeTimers();
  setState(unknown);
  token.remove();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Opens a page whose session and token are answered as given, and waits until all tries are made. */
async function open(answers: { session: () => Response; jwt: () => Response }) {
  vi.stubGlobal('fetch', (address: string) =>
    Promise.resolve(address.endsWith('/jwt') ? answers.jwt() : answers.session()),
  );
  const stop = begin({ client: new QueryClient(), goToLogin: () => undefined });
  await vi.advanceTimersByTimeAsync(4_000);
  stop();
  return read();
}

const away = () => new Response('', { status: 503 });
const refused = () => Response.json({ error: true, message: 'no' }, { status: 401 });

it('a token that fails does not sign a known user out', async () => {
  const answers = { session: () => Response.json({ user }), jwt: away };
  expect(await open(answers)).toEqual({ state: 'loading', user: null, failing: true });
});

it('a visitor whose session is unknown is a visitor', async () => {
  expect(await open({ session: away, jwt: away })).toEqual({ state: 'out', user: null });
});

it('a user whose session is refused a token is signed out', async () => {
  const answers = { session: () => Response.json({ user }), jwt: refused };
  expect(await open(answers)).toEqual({ state: 'out', user: null });
});

it('lost answers keep a user signed in, another tab does not', async () => {
  const lost = [away, away];
  const exp = Math.ceil(Date.now() / 1000) + 900;
  const mine = `h.${btoa(JSON.stringify({ sub: user.id, exp }))}.s`;
  const jwt = () => Response.json({ token: mine });
  const session = () => (lost.pop() ?? (() => Response.json({ user })))();
  vi.stubGlobal('fetch', (address: string) =>
    Promise.resolve(address.endsWith('/jwt') ? jwt() : session()),
  );
  const stop = begin({ client: new QueryClient(), goToLogin: () => undefined });
  await vi.advanceTimersByTimeAsync(4_000);
  expect(read()).toEqual({ state: 'in', user });
  token.remove();
  dispatchEvent(new StorageEvent('storage', { key: null }));
  expect(read()).toEqual({ state: 'out', user: null });
  stop();
});
