// Stripe's errors: type, code, status and text.

export interface ErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  message: string;
  code?: string;
  param?: string;
  decline_code?: string;
  charge?: string;
  payment_intent?: unknown;
  payment_method?: unknown;
}

export class Refusal extends Error {
  readonly status: number;
  readonly body: ErrorBody;
  /** Whether an idempotency key stores this response: Stripe had begun to work. */
  readonly kept: boolean;

  constructor(status: number, body: ErrorBody, kept: boolean) {
    super(body.message);
    this.status = status;
    this.body = body;
    this.kept = kept;
  }
}

type Detail = Omit<ErrorBody, 'type' | 'message'>;

const invalid = (status: number, message: string, detail: Detail, kept = false) =>
  new Refusal(status, { type: 'invalid_request_error', message, ...detail }, kept);

/** The parameters are wrong and no work was begun: not stored under an idempotency key. */
export const badParam = (message: string, detail: Detail = {}): Refusal =>
  invalid(400, message, detail);

/** The request was valid and refused because of the state: stored. */
export const refused = (message: string, detail: Detail = {}): Refusal =>
  invalid(400, message, detail, true);

export const declined = (message: string, detail: Detail): Refusal =>
  new Refusal(402, { type: 'card_error', message, ...detail }, true);

export const missing = (noun: string, id: string, param = 'id'): Refusal =>
  invalid(404, `No such ${noun}: '${id}'`, { code: 'resource_missing', param }, true);

export const missingParam = (param: string): Refusal =>
  badParam(`Missing required param: ${param}.`, { code: 'parameter_missing', param });

export const unauthorized = (message: string, code?: string): Refusal =>
  invalid(401, message, code ? { code } : {});

export const unknownUrl = (method: string, path: string): Refusal =>
  invalid(
    404,
    `Unrecognized request URL (${method}: ${path}). This sandbox knows payment methods, payment intents, charges, refunds, disputes and events.`,
    {},
  );

export const keyMisused = (key: string): Refusal =>
  new Refusal(
    400,
    {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same endpoint and parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    },
    false,
  );

export const rateLimited = (): Refusal =>
  invalid(
    429,
    'Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.',
    { code: 'rate_limit' },
  );

export const brokenInside = (kept: boolean): Refusal =>
  new Refusal(
    500,
    {
      type: 'api_error',
      message: 'An unknown error occurred. If it persists, please contact support@stripe.com.',
    },
    kept,
  );
