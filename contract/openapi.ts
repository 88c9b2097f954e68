// The table of calls as OpenAPI 3.1, made from the same declarations that the server enforces. Not for: prose.
import * as z from 'zod/mini';
import type { AnyCall } from './call.ts';
import { type ErrorCode, errors } from './errors.ts';
import { calls } from './index.ts';

type Json = Record<string, unknown>;

const schemaOf = (type: z.ZodMiniType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' }) as Json;
  return schema;
};

const errorSchema: Json = {
  type: 'object',
  required: ['error', 'code', 'message', 'requestId'],
  properties: {
    error: { const: true },
    code: { type: 'string' },
    message: { type: 'string' },
    requestId: { type: 'string' },
    field: { type: 'string', description: 'What to correct' },
  },
};

export function openapi({ brand, url }: { brand: string; url: string }): Json {
  const paths: Record<string, Json> = {};
  for (const call of calls) {
    const path = call.path.replace(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[call.method.toLowerCase()] = operation(call);
  }
  return {
    openapi: '3.1.0',
    info: { title: `${brand} API`, version: '1', description: 'Every call between the web app and its server.' },
    servers: [{ url: `${url}/api` }],
    components: {
      schemas: { Error: errorSchema },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'From POST /jwt' },
      },
    },
    paths,
  };
}

function operation(call: AnyCall): Json {
  const input = schemaOf(call.input, 'input') as { properties?: Record<string, Json>; required?: string[] };
  const inPath = [...call.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
  const inQuery = call.method === 'GET' || call.method === 'DELETE';
  const names = Object.keys(input.properties ?? {});
  const rest = names.filter((name) => !inPath.includes(name));
  const parameter = (name: string, where: 'path' | 'query') => ({
    name,
    in: where,
    required: where === 'path' || (input.required ?? []).includes(name),
    schema: input.properties?.[name] ?? {},
  });
  const access = typeof call.access === 'string' ? [call.access] : call.access;
  return {
    operationId: call.id,
    summary: call.does,
    description: `For: ${access.join(' or ')}.`,
    tags: [call.path.split(/[/.]/)[1] ?? ''],
    ...(access.includes('public') || access.includes('session') ? {} : { security: [{ token: [] }] }),
    parameters: [
      ...inPath.map((name) => parameter(name, 'path')),
      ...(inQuery ? rest.map((name) => parameter(name, 'query')) : []),
    ],
    ...(inQuery || rest.length === 0
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: body(input, rest) } } } }),
    responses: responses(call, access),
  };
}

const body = (input: { properties?: Record<string, Json>; required?: string[] }, names: string[]): Json => ({
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(names.map((name) => [name, input.properties?.[name]])),
  required: (input.required ?? []).filter((name) => names.includes(name)),
});

function responses(call: AnyCall, access: readonly string[]): Json {
  const success = {
    description: 'Done',
    ...(call.paged
      ? { headers: { 'X-Total-Count': { description: 'The number of all rows', schema: { type: 'integer' } } } }
      : {}),
    content: { [call.media ?? 'application/json']: { schema: schemaOf(call.response, 'output') } },
  };
  const guarded: ErrorCode[] = access.includes('public') ? [] : ['UNAUTHENTICATED', 'FORBIDDEN'];
  const codes: ErrorCode[] = ['INVALID_INPUT', ...guarded, ...call.errors, 'RATE_LIMITED', 'UNAVAILABLE'];
  const refusals: Record<string, Json> = {};
  for (const code of new Set(codes)) {
    const [status, message] = errors[code];
    const known = refusals[status] as { description: string } | undefined;
    refusals[status] = {
      description: known ? `${known.description}; ${code}: ${message}` : `${code}: ${message}`,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    };
  }
  return { [call.status ?? 200]: success, ...refusals };
}
