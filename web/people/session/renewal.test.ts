// @vitest-environment happy-dom
// What stays in the browser's memory when the session turns out to be none, or ends, and whose token
// is used.
import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import { listCalendar } from '../../../contract/classes/calendar.ts';
import { listCart } from '../../../contract/checkout/cart.ts';
import { getClass } from '../../../contract/classes/classes.ts';
import { token } from '../../platform/api/token.ts';
import { enter, leave, refused, setDependencies, stopRenewal } from './renewal.ts';
import { read, setState, unknown } from './state.ts';

let client = new QueryClient();
beforeEach(() => {
  client = new QueryClient();
  setDependencies({ client, goToLogin: () => undefined });
  client.setQueryData([listCalendar.id, { from: 'a', to: 'b' }], []);
  client.setQueryData([listCart.id, { email: 'a@example.com' }], []);
  // Still under way: without data.
  void client.prefetchQuery({
    queryKey: [getClass.id, { id: 'c1' }],
    queryFn: () => new Promise(() => undefined),
  });
});

const kept = () =>
  client
    .getQueryCache()
    .getAll()
    .map(({ queryKey: [id] }) => id);

it('a visitor keeps everything, also what is still being read', () => {
  setState(unknown);
  token.remove();
  leave();
  expect(kept()).toEqual([listCalendar.id, listCart.id, getClass.id]);
});

it.each(['in', 'loading'] as const)('who leaves while %s keeps public data only', (state) => {
  setState({ state, user: null });
  token.store('old');
  leave();
  expect(kept()).toEqual([listCalendar.id]);
});

it('the token of another account is replaced', async () => {
  const exp = Math.ceil(Date.now() / 1000) + 900;
  const aToken = (sub: string) => `h.${btoa(JSON.stringify({ sub, exp }))}.s`;
  const asked = vi.fn<() => Promise<Response>>(() =>
    Promise.resolve(Response.json({ token: aToken('b') })),
  );
  vi.stubGlobal('fetch', asked);
  const user = { id: 'b', name: 'B', email: 'b@example.com', image: null };
  token.store(aToken('a'));
  await enter(user);
  expect([token.read(), asked.mock.calls.length]).toEqual([aToken('b'), 1]);
  await enter(user);
  expect(asked).toHaveBeenCalledOnce();
  stopRenewal();
  vi.unstubAllGlobals();
});

it('a refused token signs out once, and leads to the login page', () => {
  const goToLogin = vi.fn<() => void>();
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({})));
  setDependencies({ client, goToLogin });
  token.store('old');
  setState({ state: 'in', user: null });
  for (let call = 0; call < 2; call += 1) refused();
  expect([token.read(), read().state, goToLogin.mock.calls.length]).toEqual([null, 'out', 1]);
  vi.unstubAllGlobals();
});
