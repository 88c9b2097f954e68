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

/** IPv6 is assigned in networks of 64 bits: a client that has one of the addresses has them all. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [front, back] = address.split('::').map((side) => side.split(':').filter(Boolean));
  const zeros = back ? Array<string>(8 - (front?.length ?? 0) - back.length).fill('0') : [];
  const groups = [...(front ?? []), ...zeros, ...(back ?? [])].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
