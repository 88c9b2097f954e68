// Stripe's errors: type, code, status and text.

export interface ErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  message: string;
  code?: string;
  param?: string;
  decline_code?: string;
  charge?: string;
  doc_url?: string;
  payment_intent?: unknown;
  payment_method?: unknown;
}

export class Refusal extends Error {
  readonly status: number;
  readonly body: ErrorBody;
  /**
   * Whether an idempotency key stores this response: Stripe stores the result of an endpoint that
   * has begun to work.
   */
  readonly kept: boolean;

  constructor(status: number, body: ErrorBody, kept: boolean) {
    super(body.message);
    this.status = status;
    this.body = body.code
      ? {
          ...body,
          doc_url: `https://stripe.com/docs/error-codes/${body.code.replaceAll('_', '-')}`,
        }
      : body;
    this.kept = kept;
  }
}

type Detail = Omit<ErrorBody, 'type' | 'message'>;

/** The parameters are wrong and no work was begun: not stored under an idempotency key. */
export const badParam = (message: string, detail: Detail = {}): Refusal =>
  new Refusal(400, { type: 'invalid_request_error', message, ...detail }, false);

/** The request was valid and refused because of the state: stored. */
export const refused = (message: string, detail: Detail = {}): Refusal =>
  new Refusal(400, { type: 'invalid_request_error', message, ...detail }, true);

export const declined = (message: string, detail: Detail): Refusal =>
  new Refusal(402, { type: 'card_error', message, ...detail }, true);

export const missing = (noun: string, id: string, param = 'id'): Refusal =>
  new Refusal(
    404,
    {
      type: 'invalid_request_error',
      code: 'resource_missing',
      message: `No such ${noun}: '${id}'`,
      param,
    },
    true,
  );

export const missingParam = (param: string): Refusal =>
  badParam(`Missing required param: ${param}.`, { code: 'parameter_missing', param });

export const unauthorized = (message: string, code?: string): Refusal =>
  new Refusal(401, { type: 'invalid_request_error', message, ...(code ? { code } : {}) }, false);

export const unknownUrl = (method: string, path: string): Refusal =>
  new Refusal(
    404,
    {
      type: 'invalid_request_error',
      message: `Unrecognized request URL (${method}: ${path}). This sandbox knows payment methods, payment intents, charges, refunds, disputes and events.`,
    },
    false,
  );

export const keyInUse = (key: string): Refusal =>
  new Refusal(
    409,
    {
      type: 'idempotency_error',
      code: 'idempotency_key_in_use',
      message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
    },
    false,
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
  new Refusal(
    429,
    {
      type: 'invalid_request_error',
      code: 'rate_limit',
      message:
        'Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.',
    },
    false,
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
