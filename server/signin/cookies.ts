// The cookies of signing in: their names, and how they are read and written.
import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../platform/config.ts';
import type { AnyCall } from '../../contract/platform/call.ts';
import type { Context } from '../platform/http/on.ts';

/** The request that is answered, and where its cookies go. */
export type Exchange = Pick<Context<AnyCall>, 'request' | 'setCookie'>;

/**
 * `session_token`: the session. `two_factor`: a password was right, the code is to come. `state`: on
 * the way to Google. `dont_remember`: the session ends with the browser.
 */
export type CookieName = 'session_token' | 'two_factor' | 'state' | 'dont_remember';

export type Cookies = ReturnType<typeof createCookies>;

export function createCookies({ publicUrl }: Pick<Config, 'publicUrl'>) {
  const https = publicUrl.startsWith('https:');
  const prefix = https ? '__Host-rally' : 'rally';
  const attributes = `Path=/; HttpOnly; SameSite=Lax${https ? '; Secure' : ''}`;
  return {
    read: (request: { headers: IncomingHttpHeaders }, name: CookieName) =>
      cookieOf(request, `${prefix}.${name}`),
    /** Without `seconds` the cookie ends with the browser. */
    set(
      { setCookie }: Pick<Exchange, 'setCookie'>,
      name: CookieName,
      value: string,
      seconds?: number,
    ) {
      const age = seconds === undefined ? '' : `Max-Age=${Math.round(seconds)}; `;
      setCookie(`${prefix}.${name}=${encodeURIComponent(value)}; ${age}${attributes}`);
    },
    clear({ setCookie }: Pick<Exchange, 'setCookie'>, name: CookieName) {
      setCookie(`${prefix}.${name}=; Max-Age=0; ${attributes}`);
    },
  };
}

/**
 * The value of a cookie. A name that occurs more than once has no value: any choice would be a
 * guess.
 */
function cookieOf(request: { headers: IncomingHttpHeaders }, name: string): string | undefined {
  const values = (request.headers.cookie ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    // Without trim(): it would remove the byte 0xA0, and with it the protection of a __Host- name.
    return pair.slice(0, at).replace(/^[ \t]/, '') === name ? [pair.slice(at + 1)] : [];
  });
  const [value, second] = values;
  try {
    return value === undefined || second !== undefined ? undefined : decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
