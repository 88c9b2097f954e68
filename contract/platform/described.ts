// Descriptions for the API page where the schema alone says too little: a number that may also
// arrive as text, an id in a response.
import * as z from 'zod/mini';

type JsonSchema = Record<string, unknown>;

const descriptions = new WeakMap<object, JsonSchema>();

/** Describes a schema. What the schema accepts does not change. */
export function described<T extends z.ZodMiniType>(type: T, json: JsonSchema): T {
  descriptions.set(type, json);
  return type;
}

export const descriptionOf = (type: object) => descriptions.get(type);

/** Values in responses. The database guarantees them: they are not validated at run time. */
export const answer = {
  id: described(z.string(), { type: 'string', format: 'uuid' }),
  email: described(z.string(), { type: 'string', format: 'email' }),
  time: described(z.string(), { type: 'string', format: 'date-time' }),
  day: described(z.string(), { type: 'string', format: 'date' }),
  /** On the academy's wall clock. */
  clock: described(z.string(), { type: 'string', pattern: '^\\d\\d:\\d\\d$' }),
  count: described(z.number(), { type: 'integer', minimum: 0 }),
  dollars: described(z.number(), {
    type: 'number',
    minimum: 0,
    description: "In the academy's currency, with two decimal places.",
  }),
};

export const changed = z.object({ modifiedCount: answer.count });
