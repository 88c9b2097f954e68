// A request whose body arrives slowly. The caller restores the mocks of the clock.
// Not for: two requests in a known order (overtaken.ts).
import { Readable } from 'node:stream';
import { vi } from 'vitest';
import { address, type AnyCall } from '../../contract/call.ts';
import type { TestApp } from './app.ts';

interface Slow {
  token: string;
  call: AnyCall;
  input: object;
  /** How long the body takes, by the clock of the request. */
  seconds: number;
}

/** Begins the request, does `meanwhile`, and sends the body after it. Answers with the status. */
export async function slowly(
  app: TestApp,
  { token, call, input, seconds }: Slow,
  meanwhile: () => Promise<unknown>,
): Promise<number> {
  const asked = Promise.withResolvers<void>();
  // The body is read when the caller is known.
  const payload = new Readable({ read: () => asked.resolve() });
  const { path, rest } = address(call, input);
  const now = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(now);
  const answer = app.ask({
    method: call.method,
    url: path,
    payload,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  await asked.promise;
  await meanwhile();
  vi.spyOn(performance, 'now').mockReturnValue(now + seconds * 1_000);
  payload.push(JSON.stringify(rest));
  payload.push(null);
  return (await answer).statusCode;
}
