// Reads the cookies of a request.
// This is the only parser of a request's cookies. Better Auth gets a Cookie header that
// handedOver() writes from its result, never the client's own header: two parsers that disagree
// would let a guard check one account and Better Auth act on another.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** All that is read of a request here. */
interface Asked {
  readonly headers: IncomingHttpHeaders;
}

/**
 * Removes spaces and tabs around it. trim() would also remove the byte 0xA0, and with it the
 * protection of a __Host- name. Without a regular expression: its time would grow with the square of
 * the number of spaces inside.
 */
function bare(text: string): string {
  let [start, end] = [0, text.length];
  while (isBlank(text[start])) start += 1;
  while (end > start && isBlank(text[end - 1])) end -= 1;
  return text.slice(start, end);
}
const isBlank = (character: string | undefined) => character === ' ' || character === '\t';

/**
 * The value of a cookie. A name that occurs more than once has no value: any choice would be a
 * guess.
 */
export function cookieOf(request: Asked, name: string): string | undefined {
  const values = (request.headers.cookie ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at > 0 && bare(pair.slice(0, at)) === name ? [bare(pair.slice(at + 1))] : [];
  });
  const [value, second] = values;
  try {
    return value === undefined || second !== undefined ? undefined : decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

/**
 * A Cookie header with these cookies, each once at most, written so that every parser reads the
 * values of cookieOf().
 */
export const handedOver = (request: Asked, names: string[]): string =>
  names
    .flatMap((name) => {
      const value = cookieOf(request, name);
      return value ? [`${name}=${encodeURIComponent(value)}`] : [];
    })
    .join('; ');

/**
 * The value of a cookie that Better Auth signed: `value.signature`, HMAC-SHA256 in base64. Only the one
 * spelling of the signature counts, as for Better Auth: with another one we would see a session, and
 * it none.
 */
export function signed(secret: string, cookie: string | undefined): string | null {
  const dot = cookie?.lastIndexOf('.') ?? -1;
  if (cookie === undefined || dot < 1) return null;
  const value = cookie.slice(0, dot);
  const given = Buffer.from(cookie.slice(dot + 1));
  const expected = Buffer.from(createHmac('sha256', secret).update(value).digest('base64'));
  return given.length === expected.length && timingSafeEqual(given, expected) ? value : null;
}
