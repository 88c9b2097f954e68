// Rate limits per user or network, in this process. Password guesses are limited in the database
// (identity/guesses.ts).
import { isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fail } from './fail.ts';

/**
 * The address from which the server calls itself while it renders a page. No connection can come
 * from it.
 */
export const ownAddress = '0.0.0.0';

interface Limit {
  name: string;
  max: number;
  hours?: number | undefined;
  /** Who is counted; the network of the address by default. */
  keyOf?: (request: FastifyRequest) => string;
}

/**
 * Refuses a caller who asked too often, with Retry-After. Calls of the server itself are not
 * limited: its visitors were counted when they asked for the page.
 */
export function createLimit(app: FastifyInstance, { name, max, hours, keyOf = visitorOf }: Limit) {
  const count = app.createRateLimit({
    max,
    timeWindow: hours ? hours * 3_600_000 : 60_000,
    keyGenerator: (request) => `${name} ${keyOf(request)}`,
  });
  return async (request: FastifyRequest): Promise<void> => {
    if (request.raw.socket.remoteAddress === ownAddress) return;
    const use = await count(request);
    if (!use.isAllowed && use.isExceeded) fail('RATE_LIMITED', {}, use.ttlInSeconds);
  };
}

export const visitorOf = (request: FastifyRequest) => networkOf(request.ip);

/**
 * Some proxies name the client with its port, which is another one for every connection. A client that
 * has reset its connection has no address any more.
 */
export const withoutPort = (address: string | undefined = '') =>
  address.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1').replace(/^\[(.+)\](?::\d+)?$/, '$1');

/** IPv6 is assigned in networks of 64 bits: a client that has one of the addresses has them all. */
export function networkOf(given: string | undefined): string {
  const address = withoutPort(given);
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups.slice(0, 6).join() === '0,0,0,0,0,65535';
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  const hexadecimal = address.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)/,
    (_dotted, ...parts: string[]) => {
      const [a = 0, b = 0, c = 0, d = 0] = parts.map(Number);
      return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
    },
  );
  const [front = [], back] = hexadecimal.split('::').map((side) => side.split(':').filter(Boolean));
  const zeros = back ? Array<string>(8 - front.length - back.length).fill('0') : [];
  return [...front, ...zeros, ...(back ?? [])].map((group) => Number.parseInt(group, 16));
}
