// How often somebody may ask within a while, and who counts as one. Not for: guessing passwords
// (features/guesses.ts), which is counted in the database for all processes together.
import { isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fail } from './fail.ts';

/**
 * The address from which the server asks itself while it renders a page. No connection can come
 * from it.
 */
export const ownAddress = '0.0.0.0';

interface Limit {
  name: string;
  max: number;
  hours?: number | undefined;
  /** Who is counted; the network of the address unless told otherwise. */
  keyOf?: (request: FastifyRequest) => string;
}

/**
 * Refuses whoever has asked too often, and says when to come back. The server itself may always
 * ask: its visitors are counted at the door.
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

/** IPv6 is given out in networks of 64 bits: whoever has one address of them has them all. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [front, back] = address.split('::').map((side) => side.split(':').filter(Boolean));
  const zeros = back ? Array<string>(8 - (front?.length ?? 0) - back.length).fill('0') : [];
  const groups = [...(front ?? []), ...zeros, ...(back ?? [])].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
