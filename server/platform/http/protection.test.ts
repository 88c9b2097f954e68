import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createProtection, hashesOf, protect } from './protection.ts';

const local = createProtection({ https: false, realStripe: false });

function headersOf(protection = local) {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  protect(protection, request, response);
  return { ...response.getHeaders(), nonce: request.nonce ?? '' };
}

it('allows inline code by the nonce of the response only', () => {
  const headers = headersOf();
  expect(Buffer.from(headers.nonce, 'base64')).toHaveLength(16);
  expect(String(headers['content-security-policy']).split(';')).toEqual([
    `default-src 'none'`,
    `script-src 'nonce-${headers.nonce}' 'strict-dynamic'`,
    `connect-src 'self'`,
    `frame-src 'self'`,
    `img-src 'self' https: data:`,
    `style-src 'self' 'nonce-${headers.nonce}'`,
    `font-src 'self'`,
    `manifest-src 'self'`,
    `worker-src 'self'`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `object-src 'none'`,
    `frame-ancestors 'none'`,
  ]);
});

it('names hashes in the place of a nonce for shared bytes', () => {
  const policy = local.policy({ scripts: hashesOf(['a()', 'b()']), styles: hashesOf(['p{}']) });
  expect(policy).toMatch(/script-src 'sha256-[\w+/]{43}=' 'sha256-[\w+/]{43}=' 'strict-dynamic'/);
  expect(policy).toMatch(/style-src 'self' 'sha256-[\w+/]{43}='/);
  expect(policy).not.toMatch(/nonce|unsafe/);
});

it('forbids framing, sniffing and devices; https over https only', () => {
  expect(headersOf()).toMatchObject({
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': expect.stringContaining('camera=(), microphone=(), geolocation=()'),
  });
  expect(headersOf()).not.toHaveProperty('strict-transport-security');
});

it('allows Stripe where it takes the cards, and requires https', () => {
  const protection = createProtection({ https: true, realStripe: true });
  expect(protection.policy({ scripts: "'s'", styles: "'s'" }).split(';')).toEqual(
    expect.arrayContaining([
      "script-src 's' 'strict-dynamic' https://js.stripe.com https://*.js.stripe.com",
      "connect-src 'self' https://api.stripe.com",
      'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
      'upgrade-insecure-requests',
    ]),
  );
  expect(protection.fixed['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
});
