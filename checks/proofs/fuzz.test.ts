// No malformed request gets a 5xx, a stack trace, a body that breaks its declared shape, or a
// redirect to another site: the calls of the contract. The webhook: fuzz-webhook.test.ts. Headers,
// bytes and addresses: fuzz-wire.test.ts.
import * as fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { type AnyCall, address, isInQuery } from '../../contract/platform/call.ts';
import { calls } from '../../contract/app/calls.ts';
import { aShop } from '../../server/testing/checkout.ts';
import {
  aClass,
  anAdmin,
  anInstructor,
  aUser,
  type TestUser,
} from '../../server/testing/factories.ts';
import { startIssuer } from '../../server/testing/issuer.ts';
import { aPicture } from '../../server/testing/pictures.ts';
import { bodies, inputs, named, types } from './fuzz.ts';
import { credentialsOf } from './fuzzcallers.ts';
import { complaint, rounds, seed, share, Tally } from './fuzzjudge.ts';
import { rightFor } from './fuzzright.ts';

const client = { clientId: 'rally', clientSecret: 'a secret of the issuer' };
const redirectUri = 'http://localhost:3000/api/auth/callback/google';
const issuer = await startIssuer({ ...client, redirectUri, accounts: [] });
afterAll(() => issuer.close());
const shop = await aShop({ google: { ...client, issuer: issuer.url } });
const { app } = shop;
const instructor = await anInstructor(app);
const people = [await aUser(app), instructor, await anAdmin(app), await aUser(app)];
const made = [
  await aClass(app),
  await aClass(app, { status: 'pending' }),
  await aClass(app, { instructor }),
];
const known = [...people.flatMap(({ id, email }) => [id, email]), ...made.map(({ id }) => id)];
const tally = new Tally();
const picture = await aPicture();

const isByCookie = ({ access, byCookie }: AnyCall) => access === 'session' || byCookie === true;

/**
 * A caller with a live token is never treated as a stranger. POST /jwt also answers 401 to the own
 * cookie with another user's email, and sign-in to a wrong password.
 */
const stranger = (call: AnyCall, who: TestUser | null, status: number) =>
  who && status === 401 && !isByCookie(call) ? 'a caller of ours is used up' : null;

it(`answers every input of every call as declared (seed ${seed})`, async () => {
  const numRuns = Math.ceil(share(0.5) / calls.length);
  for (let round = 0; round < rounds; round++) {
    for (const call of calls) {
      const right = await rightFor(call, shop);
      const asker = fc.oneof(fc.constant(right.who), fc.constantFrom(null, ...people));
      await fc.assert(
        fc.asyncProperty(inputs(call.input, known, right.input), asker, async (input, who) => {
          const answer = await ask(call, input, who, who === right.who ? right.cookie : undefined);
          tally.add(call.id, answer.statusCode);
          expect(complaint(call, answer) ?? stranger(call, who, answer.statusCode)).toBeNull();
        }),
        { numRuns, seed: seed + round, examples: [[right.input, right.who]] },
      );
    }
  }
}, 3_600_000);

async function ask(
  call: AnyCall,
  input: Record<string, unknown>,
  who: TestUser | null,
  cookie?: string,
) {
  const inPath = (name: string) => call.path.includes(`:${name}`);
  const sendable = Object.entries(input).map(([name, value]) => [
    name,
    inPath(name) ? pathPart(value) : value,
  ]);
  const { path, rest } = address(call, Object.fromEntries(sendable) as object);
  const inQuery = isInQuery(call);
  const query = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, wellFormed(value)]),
  );
  return app.ask({
    method: call.method,
    url: inQuery ? `${path}?${new URLSearchParams(query)}` : path,
    ...(inQuery ? {} : { payload: JSON.stringify(rest) }),
    ...(call.takes && { payload: picture }),
    headers: {
      'content-type': 'application/json',
      ...(who ? await credentialsOf(app, who) : {}),
      ...(cookie ? { cookie } : {}),
    },
  });
}

/** An empty part or dots would name another call. */
const pathPart = (value: unknown) => wellFormed(value).replace(/^[.\s]*$/, 'x');

const wellFormed = (value: unknown) =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed();

it(`answers malformed bodies and types (seed ${seed})`, async () => {
  const writes = calls.filter(({ method }) => method === 'POST' || method === 'PATCH');
  const url = fc.tuple(fc.constantFrom(...writes.map(named)), fc.constantFrom(...known));
  await fc.assert(
    fc.asyncProperty(
      url,
      bodies,
      types,
      fc.constantFrom(null, ...people),
      async ([call, part], payload, type, who) => {
        const answer = await app.ask({
          method: call.method,
          url: `/api${call.path}`.replace(/:\w+/, part),
          payload,
          headers: { ...(who ? await credentialsOf(app, who) : {}), 'content-type': type },
        });
        tally.add(call.id, answer.statusCode);
        expect(complaint(call, answer) ?? stranger(call, who, answer.statusCode)).toBeNull();
      },
    ),
    { numRuns: rounds * share(0.12), seed },
  );
}, 3_600_000);

it('served every call at least once, and refused few strangers', () => {
  expect([...tally.counts.keys()].toSorted()).toEqual(calls.map(({ id }) => id).toSorted());
  expect(tally.neverServed()).toEqual([]);
  expect(tally.total((status) => status === 401) / tally.total()).toBeLessThan(0.25);
  console.log(
    `${tally.total()} requests of the contract, ${tally.total((status) => status < 400)} of them served`,
  );
});
