// The access token in the browser's storage, under the key that the specification names.

const key = 'access-token';

export const token = {
  read: (): string | null => localStorage.getItem(key),
  store: (value: string) => localStorage.setItem(key, value),
  remove: () => localStorage.removeItem(key),
  isKey: (name: string | null) => name === key,
};

/** What a token says of itself; nothing when it cannot be read. Only the server can check it. */
function claimsOf(value: string): { exp?: unknown; sub?: unknown } {
  try {
    const payload: unknown = JSON.parse(
      atob((value.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/')),
    );
    return typeof payload === 'object' && payload !== null ? payload : {};
  } catch {
    return {};
  }
}

/** Milliseconds until the token ends; 0 when it has ended or cannot be read. */
export const lifeLeft = (value: string) =>
  Math.max(0, (Number(claimsOf(value).exp) * 1000 || 0) - Date.now());

export const tokenOwner = () => claimsOf(token.read() ?? '').sub;

/** With less than this left, a token is renewed before it is used. */
export const renewBelow = 60_000;

interface Guard {
  /** Gives a token that lives long enough, or null when the session has ended. */
  renew: () => Promise<string | null>;
  /** A call that carried a token came back with 401 or 403 (specification, section 6). */
  refused: () => void;
}

let guard: Guard | null = null;

/** The session renews the token and is told when it is refused. */
export function guardToken(by: Guard) {
  guard = by;
}

export async function freshToken(): Promise<string | null> {
  const stored = token.read();
  if (!stored || !guard || lifeLeft(stored) >= renewBelow) return stored;
  return guard.renew();
}

export const tokenRefused = () => guard?.refused();
