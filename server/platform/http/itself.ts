// Calls of the server to its own API, without the network, for pages that are rendered here.
import { address, type Answer, type AnyCall, type Input } from '../../../contract/platform/call.ts';
import { fail } from './fail.ts';
import { ownAddress } from './limits.ts';
import type { Server } from './server.ts';

export type AskItself = <C extends AnyCall>(call: C, input: Input<C>) => Promise<Answer<C>>;

export const askItself =
  (server: Server): AskItself =>
  async <C extends AnyCall>(call: C, input: Input<C>) => {
    const { path, rest } = address(call, input as object);
    const query = Object.fromEntries(
      Object.entries(rest).filter(([, value]) => value !== undefined),
    ) as Record<string, string>;
    const answer = await server.inject({
      method: 'GET',
      url: path,
      query,
      remoteAddress: ownAddress,
    });
    // While the database is down, a page is busy like any call, not broken.
    if (answer.statusCode === 503)
      fail('UNAVAILABLE', {}, Number(answer.headers['retry-after'] ?? 1));
    if (answer.statusCode !== 200)
      throw Object.assign(new Error(`${call.id} answered ${answer.statusCode}`), {
        status: answer.statusCode,
      });
    const body: unknown = answer.json();
    return (
      call.paged ? { items: body, total: Number(answer.headers['x-total-count']) } : body
    ) as Answer<C>;
  };
