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

it('names the nonce of the response for scripts and styles, and allows no other inline code', () => {
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

it('names hashes in the place of a nonce for bytes that are sent to many', () => {
  const policy = local.policy({ scripts: hashesOf(['a()', 'b()']), styles: hashesOf(['p{}']) });
  expect(policy).toMatch(/script-src 'sha256-[\w+/]{43}=' 'sha256-[\w+/]{43}=' 'strict-dynamic'/);
  expect(policy).toMatch(/style-src 'self' 'sha256-[\w+/]{43}='/);
  expect(policy).not.toMatch(/nonce|unsafe/);
});

it('uses each nonce once', () => {
  const nonces = Array.from({ length: 100 }, () => headersOf().nonce);
  expect(new Set(nonces).size).toBe(100);
});

it('forbids framing, sniffing and devices, and over http does not require https', () => {
  expect(headersOf()).toMatchObject({
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': expect.stringContaining('camera=(), microphone=(), geolocation=()'),
  });
  expect(headersOf()).not.toHaveProperty('strict-transport-security');
  expect(headersOf(createProtection({ https: true, realStripe: false }))).toHaveProperty(
    'strict-transport-security',
  );
});
