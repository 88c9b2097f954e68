// Where a redirect may lead: to a path of our own, never to another host. Imports nothing.

/**
 * The path, query and anchor of an address on our origin, as a browser will read them; '/' for any
 * other address. The parser removes dot segments, tabs and backslashes first, so the result is
 * checked, not the text: `/.//evil.example` is read as `//evil.example`.
 */
export function ownPath(target: string, origin: string): string {
  const url = URL.canParse(target, origin) ? new URL(target, origin) : null;
  if (url?.origin !== origin || !/^\/(?!\/)/.test(url.pathname)) return '/';
  return url.pathname + url.search + url.hash;
}
