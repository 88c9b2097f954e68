// The headers that protect the browser, on every response. They are computed once; only the scripts
// and styles that the Content-Security-Policy allows differ between responses.
import { createHash, randomBytes } from 'node:crypto';
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

export type Protection = ReturnType<typeof createProtection>;

export function createProtection({ https, realStripe }: ProtectionOptions) {
  const fixed: Readonly<Record<string, string>> = {
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'strict-origin-when-cross-origin',
    ...(https && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'permissions-policy':
      'camera=(), microphone=(), geolocation=(), payment=(self "https://js.stripe.com")',
  };
  const stripe = realStripe ? ' https://js.stripe.com https://*.js.stripe.com' : '';
  const directives = [
    `default-src 'none'`,
    `script-src 'scripts' 'strict-dynamic'${stripe}`,
    `connect-src 'self'${realStripe ? ' https://api.stripe.com' : ''}`,
    `frame-src${realStripe ? `${stripe} https://hooks.stripe.com` : ` 'self'`}`,
    `img-src 'self' https: data:`,
    `style-src 'self' 'styles'`,
    `font-src 'self'`,
    `manifest-src 'self'`,
    `worker-src 'self'`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `object-src 'none'`,
    `frame-ancestors 'none'`,
    ...(https ? ['upgrade-insecure-requests'] : []),
  ];
  const policy = directives.join(';');
  return {
    fixed,
    /** The Content-Security-Policy that allows these inline scripts and styles. */
    policy: ({ scripts, styles }: Record<'scripts' | 'styles', string>) =>
      policy.replace(`'scripts'`, scripts).replace(`'styles'`, styles),
  };
}

/** The policy of data: it is not a page, so it needs no script, no style and no nonce. */
export const dataPolicy = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

export const nonceOf = (request: IncomingMessage) =>
  (request.nonce ??= randomBytes(16).toString('base64'));

/** For bytes that are sent to many, where a nonce would be known. */
export const hashesOf = (texts: string[]) =>
  texts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ');

/** Set on Node's response, so that a response which bypasses Fastify's reply has them as well. */
export function protect(
  { fixed, policy }: Protection,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const nonce = `'nonce-${nonceOf(request)}'`;
  response.setHeader('content-security-policy', policy({ scripts: nonce, styles: nonce }));
  for (const name in fixed) response.setHeader(name, fixed[name] ?? '');
}
