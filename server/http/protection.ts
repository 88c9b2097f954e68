// The headers that protect the browser, on every response. They are computed once; only the nonce
// of the Content-Security-Policy differs between responses.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

declare module 'node:http' {
  interface IncomingMessage {
    nonce?: string;
  }
}

export interface ProtectionOptions {
  https: boolean;
  /** Whether the card form comes from Stripe; otherwise from the sandbox on our own origin. */
  realStripe: boolean;
}

export interface Protection {
  /** All headers but the policy. */
  fixed: Readonly<Record<string, string>>;
  /** The Content-Security-Policy of a page whose scripts and styles have this nonce. */
  policy: (nonce: string) => string;
}

export function createProtection({ https, realStripe }: ProtectionOptions): Protection {
  const fixed = {
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'strict-origin-when-cross-origin',
    ...(https && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
    'permissions-policy':
      'camera=(), microphone=(), geolocation=(), payment=(self "https://js.stripe.com")',
  };
  const stripe = realStripe ? ' https://js.stripe.com https://*.js.stripe.com' : '';
  const directives = [
    `default-src 'none'`,
    `script-src 'nonce-' 'strict-dynamic'${stripe}`,
    `connect-src 'self'${realStripe ? ' https://api.stripe.com' : ''}`,
    `frame-src${realStripe ? `${stripe} https://hooks.stripe.com` : ` 'self'`}`,
    `img-src 'self' https: data:`,
    `style-src 'self' 'nonce-'`,
    `font-src 'self'`,
    `manifest-src 'self'`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `object-src 'none'`,
    `frame-ancestors 'none'`,
    ...(https ? ['upgrade-insecure-requests'] : []),
  ];
  const parts = directives.join(';').split(`'nonce-'`);
  return { fixed, policy: (nonce) => parts.join(`'nonce-${nonce}'`) };
}

/** A new one for each response. */
export const newNonce = () => randomBytes(16).toString('base64');

export const nonceOf = (request: IncomingMessage) => (request.nonce ??= newNonce());

/** Set on Node's response, so that a response which bypasses Fastify's reply has them as well. */
export function protect(
  { fixed, policy }: Protection,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  response.setHeader('content-security-policy', policy(nonceOf(request)));
  for (const name in fixed) response.setHeader(name, fixed[name] ?? '');
}
