// Kept lists while seats are claimed, in two processes. Changed seats are gathered for a minute
// here, so that a process which serves them late would fail the tests.
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClaims } from '../../checkout/seats/claim.ts';
import { appOn, testApp } from '../../testing/app.ts';
import { aClass, aUser } from '../../testing/factories.ts';

const minute = { gatherSeatsMs: 60_000 };
const app = await testApp({}, minute);
const another = await appOn(app.url, {}, minute);
afterAll(() => another.close());
const origins: string[] = [];
beforeAll(async () => {
  for (const { server } of [app, another]) {
    await server.listen({ port: 0, host: '127.0.0.1' });
    origins.push(`http://127.0.0.1:${(server.server.address() as AddressInfo).port}`);
  }
});

const claimSeats = createClaims(app.db);

/** The free seats of a class in the catalogue of each process. */
const seatsOf = (classId: string, token?: string) =>
  Promise.all(
    origins.map(async (origin) => {
      const answer = await fetch(`${origin}/api/classes?status=approved&limit=100`, {
        headers: token ? { authorization: `Bearer ${token}` } : {},
      });
      const { result } = (await answer.json()) as { result: { _id: string; seat: number }[] };
      return result.find(({ _id }) => _id === classId)?.seat;
    }),
  );

it('a student sees their own claim in every process at once', async () => {
  const klass = await aClass(app, { capacity: 100 });
  await expect.poll(() => seatsOf(klass.id)).toEqual([100, 100]);
  for (let taken = 1; taken <= 5; taken++) {
    const student = await aUser(app);
    const { id } = student;
    const claim = { studentId: id, participantId: id, classId: klass.id, cartItemId: null };
    const claims = [{ ...claim, amountCents: klass.priceCents }];
    expect(await claimSeats({ claims, most: 3 })).not.toBeNull();
    await expect.poll(() => seatsOf(klass.id, student.token)).toEqual([100 - taken, 100 - taken]);
  }
  // For visitors the claims after the first one are gathered.
  const visitors = await seatsOf(klass.id);
  expect(visitors.every((seat) => seat !== undefined && seat >= 95)).toBe(true);
});

it('gathered claims do not drop the kept list of visitors', async () => {
  const klass = await aClass(app, { capacity: 100 });
  const setHeld = (held: number) =>
    app.db.updateTable('class').set({ held }).where('id', '=', klass.id).execute();
  await setHeld(1);
  await expect.poll(() => seatsOf(klass.id)).toEqual([99, 99]);
  await setHeld(2);
  // A signed-in user sees the change, so both processes know of it and keep the older list on
  // purpose.
  const { token } = await aUser(app);
  const kept = await Promise.all(
    origins.map((origin) => fetch(`${origin}/api/classes?status=approved&limit=50`)),
  );
  expect(kept.map(({ status }) => status)).toEqual([200, 200]);
  await expect.poll(() => seatsOf(klass.id, token)).toEqual([98, 98]);
});
