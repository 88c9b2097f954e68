// Requests made from the contract: inputs that fit a call's schema, inputs that nearly fit, and nonsense. Not for: judging the answers.
import * as fc from 'fast-check';
import * as z from 'zod/mini';
import type { AnyCall } from '../contract/call.ts';

type Schema = {
  type?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
};

const nastyText = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  '\uD800',
  'null',
  '-1',
  '1e309',
  '0x10',
  '../../etc/passwd',
  '%00',
  '%ff',
  `'; drop table "user"; --`,
  '<script>alert(1)</script>',
  '{{7*7}}',
  '${7*7}',
  '=1+1',
  '🏊‍♀️'.repeat(50),
  'a'.repeat(5_000),
  '\u202Eabc',
  'İ',
  '__proto__',
  'constructor',
);
const nasty: fc.Arbitrary<unknown> = fc.oneof(
  nastyText,
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double(),
  fc.maxSafeInteger(),
  fc.boolean(),
  fc.constantFrom(null, [], {}, [[]], { $gt: '' }, { toString: 1 }, Number.MAX_SAFE_INTEGER, -0, 1e300),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Values that a schema allows (or nearly: patterns are guessed, not solved). */
function fitting(schema: Schema, known: readonly string[]): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((option) => fitting(option, known)));
  switch (schema.type) {
    case 'string':
      return text(schema, known);
    case 'integer':
    case 'number':
      return fc.oneof(
        fc.integer({ min: schema.minimum ?? -5, max: Math.min(schema.maximum ?? 500, 1e9) }),
        fc.constantFrom(0.5, 19.99),
      );
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(fitting(schema.items ?? {}, known), { maxLength: 3 });
    case 'object':
      return object(schema, known);
    default:
      return nasty;
  }
}

function text(schema: Schema, known: readonly string[]): fc.Arbitrary<unknown> {
  const plain = fc.string({ minLength: schema.minLength ?? 0, maxLength: Math.min(schema.maxLength ?? 50, 200) });
  if (schema.format === 'uuid') return fc.oneof(fc.constantFrom(...known), fc.uuid());
  return fc.oneof(
    plain,
    fc.constantFrom(...known),
    fc.constantFrom('19.99', '5', 'https://example.com/a.png', 'pi_123', 'approved'),
  );
}

const object = (schema: Schema, known: readonly string[]) =>
  fc.record(
    Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, field]) => [name, fitting(field, known)])),
    { requiredKeys: schema.required ?? [] },
  );

/** An input for a call: mostly right, then with one or more fields spoilt, added or lost. `known` are ids and emails that exist. */
export function inputs(call: AnyCall, known: readonly string[]): fc.Arbitrary<Record<string, unknown>> {
  const schema = z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' }) as Schema;
  const right = object(schema, known) as fc.Arbitrary<Record<string, unknown>>;
  const names = Object.keys(schema.properties ?? {});
  const spoilt = fc.dictionary(
    fc.oneof(fc.constantFrom('role', '_id', 'status', 'sold', ...names), fc.string({ maxLength: 8 })),
    nasty,
    { maxKeys: 2 },
  );
  return fc.oneof(
    right,
    fc.tuple(right, spoilt).map(([input, wrong]) => Object.assign({}, input, wrong)),
    spoilt,
  );
}

/** Bodies that are no JSON objects of ours. */
export const bodies = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.constantFrom(
    '{',
    '[',
    '"',
    '{"a":1,}',
    '\u0000',
    '{"__proto__":{"x":1}}',
    '{"constructor":{"prototype":{}}}',
    '1e999',
    '[[[[[[[[',
    '{"a":"\\ud800"}',
  ),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
);

export const types = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  '',
  'application/json; charset=utf-16',
  '*/*',
);

export const oddHeaders = fc.dictionary(
  fc.constantFrom(
    'if-none-match',
    'accept',
    'accept-encoding',
    'authorization',
    'cookie',
    'origin',
    'x-forwarded-for',
    'x-forwarded-host',
    'content-encoding',
    'range',
    'expect',
    'x-http-method-override',
    'sec-fetch-site',
    'stripe-signature',
  ),
  fc.oneof(
    fc.constantFrom(
      '',
      '*',
      'Bearer',
      'Bearer a.b.c',
      'gzip, br',
      'rally.session_token=x.y',
      'null',
      '127.0.0.1',
      'bytes=0-1',
      't=1,v1=x',
    ),
    fc.string({ maxLength: 30 }).map((word) => word.replace(/[^\x20-\x7e]/g, '?')),
  ),
  { maxKeys: 3 },
);
