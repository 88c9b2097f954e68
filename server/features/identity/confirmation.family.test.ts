// A stranger on somebody else's address, or a thief of a password, and a family: what they added ends
// with their access, also when it is added while the access ends.
import { expect, it } from 'vitest';
import { noCare } from '../../../contract/care.ts';
import { aClass, aUser } from '../../testing/factories.ts';
import { aChild, enrol } from '../../testing/family.ts';
import { overtaken } from '../../testing/overtaken.ts';
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
    const enrolled = await aChild(app, [{ id: self }], { name: 'Seated Child' });
    await enrol(app, (await aClass(app)).id, { id: self }, enrolled);

    expect((await proofs[way]?.(scene))?.status).toBe(200);

    expect(await familyOf(scene.email)).toMatchObject([
      { self: true, born: null, care: 'none', guardians: [{ you: true }] },
      { self: false, name: 'Seated Child' },
    ]);
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
