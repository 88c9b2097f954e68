// Reading cookies out of a request. NOT for: setting them, or for what they mean.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

export function cookieOf(request: FastifyRequest, name: string): string | undefined {
  const pair = pairs(request).find((part) => part.startsWith(`${name}=`));
  const value = pair?.slice(name.length + 1);
  try {
    return value === undefined ? undefined : decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

/** The cookie header without one of its cookies. */
export const cookiesWithout = (request: FastifyRequest, name: string) =>
  pairs(request)
    .filter((part) => !part.startsWith(`${name}=`))
    .join('; ');

const pairs = (request: FastifyRequest) => request.headers.cookie?.split(/; */) ?? [];

/** The value of a cookie that Better Auth signed: `value.signature`, HMAC-SHA256 in base64. */
export function signed(secret: string, cookie: string | undefined): string | null {
  const dot = cookie?.lastIndexOf('.') ?? -1;
  if (cookie === undefined || dot < 1) return null;
  const value = cookie.slice(0, dot);
  const given = Buffer.from(cookie.slice(dot + 1), 'base64');
  const expected = createHmac('sha256', secret).update(value).digest();
  return given.length === expected.length && timingSafeEqual(given, expected) ? value : null;
}
