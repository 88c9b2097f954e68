// The access matrix, generated from the contract: every call × caller × owner, each with its one
// right status. A call without a row in matrix.ts fails.
import { describe, expect, it } from 'vitest';
import { accessOf } from '../contract/call.ts';
import { getClass } from '../contract/classes.ts';
import { calls } from '../contract/index.ts';
import { aClass } from '../server/testing/factories.ts';
import {
  app,
  ask,
  bearer,
  people,
  type Person,
  persons,
  refusedBy,
  type Row,
  rows,
  strangers,
  type Whose,
  whose,
} from './matrix.ts';

it('has a row for every call of the contract, and for no other', () => {
  expect(Object.keys(rows).toSorted()).toEqual(calls.map((call) => call.id).toSorted());
});

describe.each(calls.filter((call) => call.id in rows).map((call) => [call.id, call] as const))(
  '%s',
  (id, call) => {
    const row = rows[id] as Row;

    it.each(Object.entries(strangers))('treats %s as a stranger', async (_who, token) => {
      for (const of of whose) {
        const input = await row.input('student', of);
        if (!input) continue;
        const open = accessOf(call).includes('public');
        const right = open ? (row.visitor?.(of) ?? row.expected('student', of)) : 401;
        expect([of, (await ask(call, input, bearer(token))).statusCode]).toEqual([of, right]);
      }
    });

    it.each(persons)('answers the %s as declared', async (person) => {
      for (const of of whose) {
        const input = await row.input(person, of);
        if (!input) continue;
        const right = refusedBy(call, person) ?? row.expected(person, of);
        const { statusCode } = await ask(call, input, bearer(people[person].token));
        expect([of, statusCode]).toEqual([of, right]);
      }
    });
  },
);

/**
 * Everything of a response except what is new in each: the id of the request, and the nonce and the
 * time in its headers.
 */
const likeness = ({ statusCode, body, headers }: Awaited<ReturnType<typeof ask>>) => ({
  statusCode,
  body: body.replace(/"requestId":"[\da-f-]{36}"/, ''),
  headers: { ...headers, date: '', 'content-security-policy': '' },
});

const refuses = (id: string, person: Person, of: Whose) =>
  (rows[id]?.expected(person, of) ?? 0) >= 400;

// An admin may see most of what belongs to others; for the others it must look as if it did not
// exist.
const hidden = calls.flatMap((call) =>
  persons
    .filter((person) => refusedBy(call, person) === null)
    .filter((person) =>
      ["someone else's", 'unknown'].every((of) => refuses(call.id, person, of as Whose)),
    )
    .map((person) => [call.id, person, call] as const),
);

it.each(hidden)(
  "%s does not tell the %s whether what is someone else's exists",
  async (id, person, call) => {
    const answers: object[] = [];
    for (const of of ["someone else's", 'unknown'] as const) {
      const input = (await rows[id]?.input(person, of)) ?? {};
      answers.push(likeness(await ask(call, input, bearer(people[person].token))));
    }
    expect(answers[0]).toEqual(answers[1]);
  },
);

it.each(Object.entries(strangers))(
  'shows %s an approved class, and no other',
  async (_who, token) => {
    for (const [status, right] of [
      ['approved', 200],
      ['pending', 404],
      ['denied', 404],
    ] as const) {
      const { id } = await aClass(app, { instructor: people.instructor, status });
      const { statusCode, body } = await ask(getClass, { id }, bearer(token));
      expect([status, statusCode]).toEqual([status, right]);
      expect(body).not.toContain('feedback');
    }
  },
);
