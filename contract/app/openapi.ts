// The table of calls as OpenAPI 3.1, generated from the declarations that the server enforces.
import * as z from 'zod/mini';
import { accessOf, type AnyCall, isInQuery, refusalsOf } from '../platform/call.ts';
import { descriptionOf } from '../platform/described.ts';
import { errors } from '../platform/errors.ts';
import { namedCalls, type Part } from './calls.ts';

type Json = Record<string, unknown>;
interface InputSchema {
  properties?: Record<string, Json>;
  required?: string[];
}

const tags: Record<Part, string> = {
  auth: 'Sign-up, sign-in, the session and two-step sign-in. By cookie, from the web app only.',
  identity: 'The access token, and what a client must know before sign-in.',
  users: 'Users, their roles, and the audit log.',
  staff: 'People as the admin manages them: invitations, the page of a user, blocking.',
  join: 'Accepting an invitation as staff, and a new address. By cookie, from the web app only.',
  family: 'The participants in your care, and their guardians.',
  classes: 'The classes that the academy sells.',
  meetings: 'When and where classes meet.',
  places: 'Places and holidays of the academy.',
  plans: 'Classes for the family planner.',
  instructors: 'Instructors as visitors see them.',
  calendar: 'Meetings by days.',
  feeds: 'Calendar files, to download or to subscribe to.',
  care: 'Allergies, health and contacts of a participant.',
  cancel: 'What a change of a class does, and cancelling it.',
  cart: 'The classes that a student intends to pay for.',
  payments: 'Payments, receipts, enrolments and refunds.',
  objections: 'New dates that do not suit a family, and the answer.',
  checkout: 'One payment for several seats.',
  credit: 'What the academy owes a family, to be spent or paid out.',
  waits: 'The lists of classes that are full, and offers.',
  discounts: 'Early bird, several classes, siblings and coupons.',
  leaving: 'Leaving a class, and the terms for it.',
  rollcall: 'Rosters, roll calls and attendance.',
  announcements: 'What instructors and admins write to families.',
  account: 'The account of the caller.',
  pictures: 'Pictures that people upload.',
  figures: 'The figures of the dashboard.',
  academy: 'The settings of the academy.',
  site: 'What the academy wrote for its visitors.',
  steps: 'The first steps of a new academy.',
  office: 'Sums of payments, and another try for what gave up.',
  live: 'Changes while a page is open.',
};

const schemaOf = (type: z.ZodMiniType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const description = descriptionOf(zodSchema);
      if (!description) return;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      Object.assign(jsonSchema, description);
    },
  }) as Json;
  return schema;
};

const errorSchema: Json = {
  type: 'object',
  required: ['error', 'code', 'message', 'requestId'],
  properties: {
    error: { type: 'boolean', const: true },
    code: { type: 'string', enum: Object.keys(errors) },
    message: { type: 'string' },
    requestId: { type: 'string' },
    field: { type: 'string', description: 'The field to correct.' },
    price: { type: 'number', description: 'With PRICE_CHANGED: the price now.' },
    status: {
      type: 'string',
      description: 'With PAYMENT_NOT_COMPLETED: the status of the payment.',
    },
    clashes: {
      type: 'array',
      items: { type: 'object' },
      description: 'With PLACE_TAKEN and INSTRUCTOR_BUSY: the meetings that are in the way.',
    },
    changed: {
      type: 'array',
      items: { type: 'string' },
      description: 'With ACADEMY_CHANGED: the settings that were changed since that version.',
    },
  },
};

export function openapi({ brand, url }: { brand: string; url: string }): Json {
  const paths: Record<string, Json> = {};
  for (const named of namedCalls) {
    const parameters = pathParameters(named.call);
    (paths[pathOf(named.call, parameters)] ??= {})[named.call.method.toLowerCase()] = operation(
      named,
      parameters,
    );
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${brand} API`,
      version: '1',
      description: 'Every call between the web app and its server.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${url}/api` }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    components: {
      schemas: { Error: errorSchema },
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The access token from POST /jwt.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: `${url.startsWith('https:') ? '__Host-rally' : 'rally'}.session_token`,
          description:
            'The cookie of a sign-in under /api/auth. Requests must come from the origin of the web app.',
        },
      },
    },
    paths,
  };
}

const namesInPath = (path: string) => [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
const shapeOf = (path: string) => path.replace(/:\w+/g, ':');

/**
 * The parameters of a path: how the call names them, and how they are described. OpenAPI allows one
 * name for each. Where two calls of one path differ (GET /users/admin/:email, PATCH
 * /users/admin/:id) the described name has both: emailOrId.
 */
function pathParameters({ path }: AnyCall): { ours: string; described: string }[] {
  const alike = namedCalls
    .map(({ call }) => call.path)
    .filter((other) => shapeOf(other) === shapeOf(path));
  return namesInPath(path).map((ours, index) => {
    const [first = ours, ...others] = [
      ...new Set(alike.map((other) => namesInPath(other)[index] ?? '')),
    ].toSorted();
    return {
      ours,
      described: [first, ...others.map((name) => name[0]?.toUpperCase() + name.slice(1))].join(
        'Or',
      ),
    };
  });
}

function pathOf({ path }: AnyCall, parameters: { described: string }[]): string {
  const names = parameters.values();
  return path.replace(/:\w+/g, () => `{${names.next().value?.described}}`);
}

function operation(
  { name, part, call }: (typeof namedCalls)[number],
  inPath: { ours: string; described: string }[],
): Json {
  const input = schemaOf(call.input, 'input') as InputSchema;
  const inQuery = isInQuery(call);
  const rest = Object.keys(input.properties ?? {}).filter(
    (field) => !inPath.some(({ ours }) => ours === field),
  );
  return {
    operationId: name,
    summary: call.does,
    description: `For: ${accessOf(call).join(' or ')}.`,
    tags: [part],
    security: securityOf(call),
    parameters: [
      ...inPath.map(({ ours, described }) => ({
        name: described,
        in: 'path',
        required: true,
        ...(ours === described ? {} : { description: `Here: ${ours}.` }),
        schema: input.properties?.[ours] ?? {},
      })),
      ...(inQuery ? rest : []).map((field) => ({
        name: field,
        in: 'query',
        required: (input.required ?? []).includes(field),
        schema: input.properties?.[field] ?? {},
      })),
      ...(call.idempotent ? [idempotencyKey] : []),
    ],
    ...(call.takes
      ? { requestBody: { required: true, content: { 'image/*': { schema: {} } } } }
      : inQuery || rest.length === 0
        ? {}
        : {
            requestBody: {
              required: true,
              content: { 'application/json': { schema: body(input, rest) } },
            },
          }),
    responses: responses(call),
  };
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', format: 'uuid' },
};

/** A public call needs no token, but may answer more to the holder of one. */
function securityOf(call: AnyCall): Json[] {
  const access = accessOf(call);
  if (access.includes('public')) return call.byCookie ? [{}] : [{}, { token: [] }];
  return access.includes('session') ? [{ session: [] }] : [{ token: [] }];
}

const body = (input: InputSchema, names: string[]): Json => ({
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(names.map((name) => [name, input.properties?.[name]])),
  required: (input.required ?? []).filter((name) => names.includes(name)),
});

const redirect = {
  description: 'Go on to this page.',
  headers: { Location: { schema: { type: 'string' } } },
};

const refused = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

const total = {
  description: 'The number of all rows.',
  schema: { type: 'integer', minimum: 0 },
};

function responses(call: AnyCall): Json {
  const success = {
    description: 'Done.',
    ...(call.paged && { headers: { 'X-Total-Count': total } }),
    content: { [call.media ?? 'application/json']: { schema: schemaOf(call.response, 'output') } },
  };
  const refusals: Record<string, Json> = {};
  for (const code of refusalsOf(call)) {
    const [status, message] = errors[code];
    const known = refusals[status] as { description: string } | undefined;
    const said = `${code}: ${message}`;
    refusals[status] = refused(known ? `${known.description} ${said}` : said);
  }
  const again = call.repeatable
    ? { 200: { ...success, description: 'Done before. The answer is the same.' } }
    : {};
  // Linters require a 2xx or a default.
  if (call.redirects) return { 302: redirect, ...refusals, default: refused('Refused.') };
  return { ...again, [call.status ?? 200]: success, ...refusals };
}
