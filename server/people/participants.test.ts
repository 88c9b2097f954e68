// Which rows a transaction about a family has locked, and in which order.
import type { PoolClient } from 'pg';
import { describe, expect, it } from 'vitest';
import { acceptInvitation, inviteGuardian } from '../../contract/people/family.ts';
import { hashOf, newSecret } from '../platform/db/hashed.ts';
import { testApp } from '../testing/app.ts';
import { aClass, aUser, type TestUser } from '../testing/factories.ts';
import { waiters, whileLocked } from '../testing/overtaken.ts';
import { writeAsks } from '../checkout/seats/grant.ts';
import { lockParticipants } from './participants.ts';

const app = await testApp();

/** The work holds the account's own participant, as an addition of a child does. */
const whileAdding = <T>({ id }: TestUser, work: (adds: PoolClient) => Promise<T>) =>
  whileLocked(app, ['select from participant where id = $1 for update', [id]], work);

/** A child whose id comes before that of every account. */
async function addChild(client: Pick<PoolClient, 'query'>, id: string, guardian: TestUser) {
  const child = `insert into participant (id, name, born, made_by) values ($1, 'Mia', '2019-02-03', $2)`;
  await client.query(child, [id, guardian.id]);
  await client.query('insert into guardian (user_id, participant_id) values ($1, $2)', [
    guardian.id,
    id,
  ]);
}

let children = 0;
const firstId = () => `00000000-0000-7000-8000-${String((children += 1)).padStart(12, '0')}`;

const isFree = async (id: string) => {
  const { rowCount } = await app.pool.query(
    'select from participant where id = $1 for update skip locked',
    [id],
  );
  return rowCount === 1;
};

it('a child added while the family is being locked is locked', async () => {
  const who = await aUser(app);
  const id = firstId();
  const free = await whileAdding(who, async (adds) => {
    const locked = app.db.transaction().execute(async (db) => {
      await lockParticipants(db, who.id);
      return isFree(id);
    });
    await waiters(app, 1);
    await addChild(adds, id, who);
    await adds.query('commit');
    return locked;
  });
  expect(free).toBe(false);
});

describe('who waits for an account has not locked a child', () => {
  const asks: Record<string, (who: TestUser, child: string) => Promise<unknown>> = {
    'a deletion of the account': (who) =>
      app.db.transaction().execute((db) => lockParticipants(db, who.id)),
    'an invitation of a guardian': (who, child) =>
      app.send(inviteGuardian, { email: 'other@example.com', participantIds: [child] }, who.token),
    'who accepts an invitation': async (who, child) => {
      const secret = newSecret();
      await app.pool.query(
        'insert into invitation (secret_hash, participant_id, email, invited_by) values ($1, $2, $3, $4)',
        [hashOf(secret), child, who.email, (await aUser(app)).id],
      );
      return app.send(acceptInvitation, { secret }, who.token);
    },
    'a claim of two seats': async (who, child) => {
      const klass = await aClass(app, { capacity: 5 });
      const claims = [who.id, child].map((participantId) => ({
        studentId: who.id,
        participantId,
        classId: klass.id,
        cartItemId: null,
        amountCents: klass.priceCents,
      }));
      return writeAsks(app.db, [{ claims, most: 12 }]);
    },
  };
  it.each(Object.entries(asks))('%s', async (_who, ask) => {
    const who = await aUser(app);
    const id = firstId();
    await addChild(app.pool, id, who);
    const asked = await whileAdding(who, async (adds) => {
      const asking = ask(who, id);
      await waiters(app, 1);
      expect(await isFree(id)).toBe(true);
      await adds.query('commit');
      return asking;
    });
    expect(asked).not.toMatchObject({ status: 503 });
  });
});
