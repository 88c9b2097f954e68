// A response as it is sent and kept under an idempotency key.
import type { Refusal } from './errors.ts';

export interface Answer {
  status: number;
  body: string;
  /** The request that produced it; a replay names it as the original. */
  request: string;
}

export const answerOf = (body: unknown, request: string): Answer => ({
  status: 200,
  body: JSON.stringify(body),
  request,
});

export const answerTo = (refusal: Refusal, request: string): Answer => ({
  status: refusal.status,
  body: JSON.stringify({ error: refusal.body }),
  request,
});
