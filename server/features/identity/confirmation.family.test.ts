// A stranger on somebody else's address, or a thief of a password, and a family: what they added ends
// with their access, also when it is added while the access ends.
import { expect, it } from 'vitest';
import { noCare } from '../../../contract/care.ts';
import { aClass, aUser } from '../../testing/factories.ts';
import { aChild, enrol } from '../../testing/family.ts';
import { overtaken, waiters } from '../../testing/overtaken.ts';
import { findInDatabase } from '../../testing/search.ts';
import {
  anApp,
  confirm,
  expectOwnerIn,
  mailedLink,
  newPassword,
  setConfirmed,
  squatted,
  tokenOf,
} from '../../testing/squatted.ts';
import type { Visitor } from '../../testing/visitor.ts';
import { createClaims } from '../checkout/seats/claim.ts';

const app = await anApp();

const as = (
  visitor: Visitor,
  token: string,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: object,
) => visitor.ask(method, `/api${path}`, body, { authorization: `Bearer ${token}` });

type Scene = Awaited<ReturnType<typeof squatted>>;

async function resetByMail({ email, owner }: Scene) {
  await owner.auth('request-password-reset', { email });
  const token = tokenOf(await mailedLink(app, email, '/resetpassword'));
  return owner.auth('reset-password', { token, newPassword });
}

const proofs: Record<string, (scene: Scene) => Promise<{ status: number }>> = {
  'the link and a new password': ({ owner, link }) => confirm(owner, link, { newPassword }),
  'a reset by mail': resetByMail,
};

const idOf = async (email: string) =>
  (
    await app.db
      .selectFrom('user')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
  ).id;

const familyOf = async (email: string) => {
  const { visitor, token } = await expectOwnerIn(app, email, newPassword);
  const { body } = await as(visitor, token, 'GET', '/participants');
  return body as unknown as { self: boolean; name: string; born: string | null; care: string }[];
};

it('the changes of a stranger do not use up the day of the owner who takes the account over', async () => {
  const scene = await squatted(app);
  const { visitor, token } = scene.stranger;
  const self = await idOf(scene.email);
  const change = { born: '1980-01-31' };
  await app.pool.query(
    `insert into audit (actor_id, action, subject)
     select $1::uuid, 'participant changed', $1::text from generate_series(1, 200)`,
    [self],
  );
  const path = `/participants/${self}`;
  expect((await as(visitor, token, 'PATCH', path, change)).status).toBe(429);
  expect((await resetByMail(scene)).status).toBe(200);
  const owner = await expectOwnerIn(app, scene.email, newPassword);
  expect((await as(owner.visitor, owner.token, 'PATCH', path, change)).status).toBe(200);
});

it.each(Object.keys(proofs))(
  'the children, birth date and care facts of before end when the owner takes the account over by %s',
  async (way) => {
    const scene = await squatted(app);
    const { visitor, token } = scene.stranger;
    const self = await idOf(scene.email);
    const child = { name: 'Ottokar Strangerson', born: '2016-02-03' };
    const { status, body } = await as(visitor, token, 'POST', '/participants', child);
    expect(status).toBe(201);
    expect(
      (await as(visitor, token, 'PATCH', `/participants/${self}`, { born: '1980-01-31' })).status,
    ).toBe(200);
    const care = { ...noCare, note: 'x' };
    expect((await as(visitor, token, 'PATCH', `/participants/care/${self}`, care)).status).toBe(
      200,
    );
    // An older Rally, or a hole of today: the stranger's other account looks after the owner.
    const accomplice = await aUser(app);
    await app.db
      .insertInto('guardian')
      .values({ userId: accomplice.id, participantId: self })
      .execute();
    const [enrolled, held] = [
      await aChild(app, [{ id: self }], { name: 'Seated Child' }),
      await aChild(app, [{ id: self }], { name: 'Held Strangerson' }),
    ];
    await as(visitor, token, 'PATCH', `/participants/care/${enrolled.id}`, care);
    const klass = await aClass(app);
    await enrol(app, klass.id, { id: self }, enrolled);
    await app.pool.query(
      `insert into hold (student_id, participant_id, class_id, list_cents, slot)
       values ($1, $2, $3, 1999, 1)`,
      [self, held.id, klass.id],
    );

    expect((await proofs[way]?.(scene))?.status).toBe(200);

    expect(await familyOf(scene.email)).toMatchObject([
      { self: true, born: null, care: 'none', guardians: [{ you: true }] },
    ]);
    // The name stays for the roster until the class is over.
    const { rows } = await app.pool.query<object>(
      `select name, born, made_by, erased_at is not null as erased, care is not null as care
       from participant left join care on care.participant_id = id where id = $1`,
      [enrolled.id],
    );
    const gone = { born: null, made_by: null, erased: true, care: false };
    expect(rows).toEqual([{ name: 'Seated Child', ...gone }]);
    expect(await findInDatabase(app, 'Strangerson')).toEqual([]);
    expect(
      await app.db
        .selectFrom('participant')
        .select('erasedAt')
        .where('id', '=', String(body['insertedId']))
        .executeTakeFirst(),
    ).toEqual({ erasedAt: expect.any(Date) });
  },
);

it('a claim of a seat under way does not end the proof in a deadlock', async () => {
  const scene = await squatted(app);
  const self = await idOf(scene.email);
  const klass = await aClass(app);
  const claiming = { studentId: self, participantId: self, classId: klass.id, cartItemId: null };
  const holder = await app.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('select from participant where id = $1 for update', [self]);
    const proof = confirm(scene.owner, scene.link, { newPassword });
    await waiters(app, 1);
    const claim = createClaims(app.db)({ ...claiming, amountCents: klass.priceCents });
    await waiters(app, 2);
    await holder.query('commit');
    expect((await proof).status).toBe(200);
    expect(await claim).toHaveProperty('id');
  } finally {
    await holder.query('rollback');
    holder.release();
  }
});

it('a child that is added while the owner takes the account over is refused', async () => {
  const scene = await squatted(app);
  const { visitor, token } = scene.stranger;
  const child = { name: 'Late', born: '2016-02-03' };
  const { status } = await overtaken(
    app,
    scene.email,
    () => confirm(scene.owner, scene.link, { newPassword }),
    () => as(visitor, token, 'POST', '/participants', child),
  );
  expect(status).toBe(401);
  expect(await familyOf(scene.email)).toHaveLength(1);
});

it('an invitation is not sent by an unproven account, and ends with a new password', async () => {
  const scene = await squatted(app);
  const { visitor, token } = scene.stranger;
  const child = await aChild(app, [{ id: await idOf(scene.email) }]);
  const letter = { email: 'accomplice@example.com', participantIds: [child.id] };
  const refused = await as(visitor, token, 'POST', '/guardians/invite', letter);
  expect([refused.status, refused.body.code]).toEqual([409, 'EMAIL_NOT_CONFIRMED']);
  await setConfirmed(app, scene.email, true);
  expect((await as(visitor, token, 'POST', '/guardians/invite', letter)).status).toBe(200);
  expect((await resetByMail(scene)).status).toBe(200);
  const open = await app.db
    .selectFrom('invitation')
    .select('email')
    .where('participantId', '=', child.id)
    .execute();
  expect(open).toEqual([]);
});
