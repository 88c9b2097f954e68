// Rate limits, counted in this process. Password guesses and sign-ups are counted in the database
// (signin/guesses.ts).
import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from './fail.ts';
import type { Caller } from './on.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null for visitors, and until on() has looked. */
    caller: Caller | null;
  }
}

/** From which the server calls itself while it renders. No connection can come from it. */
export const ownAddress = '0.0.0.0';

const perMinute = { reads: 300, writes: 60, network: 1_000 };
const counterOf = ({ method }: FastifyRequest) => (method === 'GET' ? 'reads' : 'writes');

/**
 * Makes `app.rateLimit()`, a hook that refuses who asked too often. An account is counted wherever it
 * is signed in, a visitor by network: of a school or a carrier, which is one network, only the
 * visitors share a limit.
 */
export async function limitCallers(app: FastifyInstance, { isOn }: { isOn: boolean }) {
  app.decorateRequest('caller', null);
  await app.register(rateLimit, {
    global: false,
    // The oldest counter is forgotten beyond these.
    cache: 50_000,
    allowList: ({ raw }) => !isOn || raw.socket.remoteAddress === ownAddress,
    keyGenerator: (request) =>
      request.caller ? `${request.caller.id} ${counterOf(request)}` : networkOf(request.ip),
    max: (request) => perMinute[request.caller ? counterOf(request) : 'network'],
    errorResponseBuilder: (_request, { ttl }) =>
      new Refusal('RATE_LIMITED', {}, Math.ceil(ttl / 1_000)),
    addHeadersOnExceeding: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
    },
  });
}

/** Some proxies name the client with its port. One who reset its connection has no address. */
export const withoutPort = (address: string | undefined = '') =>
  address.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1').replace(/^\[(.+)\](?::\d+)?$/, '$1');

/** IPv6 is assigned in networks of 64 bits: a client that has one of the addresses has them all. */
export const networkOf = (address: string | undefined) => normalizeIP(withoutPort(address), 64);
