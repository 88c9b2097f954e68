// Requests made from the contract: inputs that fit a schema, inputs that nearly fit, and random
// text, bytes and headers. Callers: fuzzcallers.ts. Expected responses: fuzzjudge.ts.
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import * as z from 'zod/mini';
import type { AnyCall } from '../../contract/platform/call.ts';

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
export const nasty: fc.Arbitrary<unknown> = fc.oneof(
  nastyText,
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double(),
  fc.maxSafeInteger(),
  fc.boolean(),
  fc.constantFrom(
    null,
    [],
    {},
    [[]],
    { $gt: '' },
    { toString: 1 },
    Number.MAX_SAFE_INTEGER,
    -0,
    1e300,
  ),
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
  const plain = fc.string({
    minLength: schema.minLength ?? 0,
    maxLength: Math.min(schema.maxLength ?? 50, 200),
  });
  if (schema.format === 'uuid') return fc.oneof(fc.constantFrom(...known), fc.uuid());
  return fc.oneof(
    plain,
    fc.constantFrom(...known),
    fc.constantFrom('19.99', '5', 'https://example.com/a.png', 'pi_123', 'approved'),
  );
}

const object = (schema: Schema, known: readonly string[]) =>
  fc.record(
    Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, field]) => [name, fitting(field, known)]),
    ),
    { requiredKeys: schema.required ?? [] },
  );

/** A call that prints as its name in a counterexample. */
export const named = (call: AnyCall): AnyCall =>
  Object.assign({}, call, { [fc.toStringMethod]: () => call.id });

const schemaOf = (schema: z.ZodMiniType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;

/**
 * Inputs for a schema: mostly valid, then with a field or two damaged, added or removed. `known`
 * are existing ids and emails; `base` is an input that was valid a moment ago and, damaged, gets
 * further than a guess.
 */
export function inputs(
  of: z.ZodMiniType,
  known: readonly string[],
  base: Record<string, unknown> = {},
): fc.Arbitrary<Record<string, unknown>> {
  const schema = schemaOf(of);
  const right = object(schema, known) as fc.Arbitrary<Record<string, unknown>>;
  const names = Object.keys({ ...schema.properties, ...base });
  const spoilt = fc.dictionary(
    fc.oneof(
      fc.constantFrom('role', '_id', 'status', 'sold', ...names),
      fc.string({ maxLength: 8 }),
    ),
    nasty,
    { maxKeys: 2 },
  );
  const lost = fc.constantFrom('', ...names);
  return fc.oneof(
    right,
    fc.tuple(right, spoilt).map(([input, wrong]) => spoil(input, wrong)),
    fc.tuple(lost, spoilt).map(([name, wrong]) => {
      const { [name]: _lost, ...rest } = base;
      return spoil(rest, wrong);
    }),
    spoilt,
  );
}

/** Not Object.assign, which would lose a field named __proto__. */
const spoil = (input: object, wrong: object): Record<string, unknown> => ({ ...input, ...wrong });

/** Bodies that are not JSON objects of ours. */
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

export const types: fc.Arbitrary<string> = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  '',
  'application/json; charset=utf-16',
  '*/*',
);

/** Encodings of a text, with a content-encoding that matches or does not. */
const encodings: Record<string, (text: string) => Buffer> = {
  plain: (text) => Buffer.from(text),
  gzip: (text) => gzipSync(text),
  deflate: (text) => deflateSync(text),
  br: (text) => brotliCompressSync(text),
  'half a gzip': (text) => gzipSync(text).subarray(0, 15),
  'a gzip of too much': (text) => gzipSync(text.padEnd(200_000)),
  'gzip, twice': (text) => gzipSync(gzipSync(text)),
  'utf-8 with a mark': (text) => Buffer.from(`\uFEFF${text}`),
  'utf-16': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'utf-16, other way round': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
  'latin-1': (text) => Buffer.from(text.replace('{', '{"é":"ü",'), 'latin1'),
  'half a character': (text) =>
    Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xf0, 0x9f])]),
  'half a character inside': (text) =>
    Buffer.concat([
      Buffer.from('{"name":"'),
      Buffer.from([0xe2, 0x82]),
      Buffer.from(`",${text.slice(1)}`),
    ]),
  'a character too long': (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xc0, 0x80])]),
};

export const encoded = (text: fc.Arbitrary<string>) =>
  fc
    .record({
      text,
      as: fc.constantFrom(...Object.keys(encodings)),
      charset: fc.constantFrom(
        '',
        '; charset=utf-8',
        '; charset=utf-16',
        '; charset=iso-8859-1',
        '; charset=x',
      ),
      lie: fc.option(fc.constantFrom('gzip', 'br', 'deflate', 'identity', 'zstd', 'x', ''), {
        freq: 3,
      }),
    })
    .map(({ text, as, charset, lie }) => ({
      payload: encodings[as]?.(text) ?? Buffer.alloc(0),
      type: `application/json${charset}`,
      encoding: lie ?? /gzip|deflate|br$/.exec(as)?.[0],
    }));

/** Parts of a path or query in raw form, most of them invalid escapes. */
export const rawParts = (known: readonly string[]) =>
  fc.oneof(
    fc.constantFrom(
      '%ff',
      '%00',
      '%c0%80',
      '%ed%a0%80',
      '%',
      '%zz',
      '%2f',
      '%2e%2e',
      '%0d%0a',
      '+',
      '%F0%9F',
      "'",
      ';',
    ),
    fc.constantFrom(...known),
    fc
      .tuple(fc.constantFrom(...known), fc.constantFrom('%ff', '%00', '%', '%20', '%0a'))
      .map((pair) => pair.join('')),
    fc.webSegment(),
  );

/** A raw query with fields that the call has and has not. */
export function rawQueries(of: z.ZodMiniType, known: readonly string[]): fc.Arbitrary<string> {
  const names = Object.keys(schemaOf(of).properties ?? {});
  const pair = fc.tuple(
    fc.oneof(
      fc.constantFrom('page', 'a[b]', '__proto__', '', '%ff', '%00', ...names),
      fc.webQueryParameters(),
    ),
    fc.constantFrom('=', '', '=='),
    fc.oneof(
      rawParts(known),
      fc.constantFrom('1', '0', '-1', '99999999999999999999', '1e3', 'asc', '1&page=2'),
    ),
  );
  return fc
    .array(pair, { maxLength: 3 })
    .map((pairs) => pairs.map((parts) => parts.join('')).join('&'));
}

/** Headers with a meaning for some part on the way, and possible values. */
const meant: Record<string, string[]> = {
  'if-none-match': ['*', 'W/"x", "y"'],
  'if-modified-since': ['Thu, 01 Jan 1970 00:00:00 GMT', '0'],
  accept: ['text/html', 'application/json;q=0', '*'],
  'accept-encoding': [
    'gzip, br',
    'br;q=0, gzip;q=0.5',
    'identity;q=0, *;q=0',
    'deflate',
    'x-brotli',
    '*',
  ],
  authorization: ['Bearer', 'Bearer a.b.c', 'Basic eDp5', 'bearer x'],
  cookie: [
    'rally.session_token=x.y',
    'rally.session_token=%ff',
    '=',
    ';;',
    'rally.session_token=.',
  ],
  origin: ['null', 'https://elsewhere.test', 'http://localhost:3000'],
  host: ['', 'elsewhere.test', 'localhost:99999', '[::1'],
  'x-forwarded-for': ['127.0.0.1', '::1, x', 'unknown'],
  'x-forwarded-host': ['elsewhere.test'],
  'content-type': ['application/json', 'text/plain', ';', 'application/json; charset=utf-16'],
  'content-encoding': ['gzip', 'identity', 'x'],
  range: ['bytes=0-1', 'bytes=9-', 'x'],
  expect: ['100-continue', 'x'],
  connection: ['upgrade', 'keep-alive', 'host'],
  upgrade: ['websocket', 'h2c'],
  'x-http-method-override': ['DELETE'],
  'sec-fetch-site': ['cross-site', 'same-origin'],
  'stripe-signature': ['t=1,v1=x', 't=,v1='],
  ['__proto__']: ['x'],
};

/**
 * Unusual headers. A request may have one name twice; `more` are existing values of if-none-match.
 */
export function oddHeaders(...more: string[]): fc.Arbitrary<[name: string, value: string][]> {
  const any = fc.string({ maxLength: 30 }).map((word) => word.replace(/[^\x20-\x7e]/g, '?'));
  const header = fc.constantFrom(...Object.entries(meant)).chain(([name, values]) => {
    const existing = name === 'if-none-match' ? more : [];
    return fc.tuple(fc.constant(name), fc.oneof(fc.constantFrom('', ...values, ...existing), any));
  });
  return fc.array(header, { maxLength: 3 });
}
