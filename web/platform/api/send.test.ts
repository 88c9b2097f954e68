import { expect, it } from 'vitest';
import { ApiError, readable } from './send.ts';

it.each([
  [429, 'RATE_LIMITED', 'Please try again after 14:05.'],
  [503, 'MAIL_DOWN', 'The mail server did not take the mail.'],
])('our own %s is shown in its words', (status, code, message) => {
  expect(readable(new ApiError(status, { code, message }))).toBe(message);
});

it.each([500, 502, 503])('a %s of a proxy is something on our side', (status) => {
  expect(readable(new ApiError(status, { code: `HTTP_${status}` }))).toContain('on our side');
});
