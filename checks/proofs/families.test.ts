// Two guardians of one child at the same moment, many times: both leave, or both pay. The short forms
// are in server/people/guardians.test.ts and server/checkout/family.test.ts.
import { afterAll, expect, it } from 'vitest';
import { deleteAccount } from '../../contract/signin/account.ts';
import { addToCart } from '../../contract/checkout/cart.ts';
import { removeGuardian, removeParticipant } from '../../contract/people/family.ts';
import { createIntent } from '../../contract/checkout/payments.ts';
import { appOn } from '../../server/testing/app.ts';
import { aShop, balanced, rowsOf } from '../../server/testing/checkout.ts';
import { aClass, aUser, type TestUser } from '../../server/testing/factories.ts';
import { aChild } from '../../server/testing/family.ts';
import { lengthOf } from '../../server/testing/length.ts';

const rounds = lengthOf(10);
const tabs = 50;

const shop = await aShop({}, { tells: false });
const { app } = shop;
const second = await appOn(app.url, {}, { sandbox: shop.sandbox.url });
afterAll(async () => {
  await second.close();
  await balanced(shop);
});

type Way = (who: TestUser, child: { id: string }) => Promise<{ status: number }>;

const ways: Record<string, Way> = {
  leave: (who, { id }) => app.send(removeGuardian, { id, who: who.id }, who.token),
  'delete the account': (who) =>
    second.send(deleteAccount, { email: who.email, giveBack: true }, who.token),
  'remove the child': (who, { id }) => second.send(removeParticipant, { id }, who.token),
};
const names = Object.keys(ways);

it(`FA9: every child has a guardian after ${rounds} rounds`, async () => {
  for (let round = 0; round < rounds; round++) {
    const [one, other] = [await aUser(app), await aUser(app)];
    const child = await aChild(app, [one, other]);
    const [first = '', last = ''] = [
      names[round % names.length],
      names[Math.floor(round / names.length) % names.length],
    ];
    const answers = await Promise.all([ways[first]?.(one, child), ways[last]?.(other, child)]);
    // 401: the account was deleted meanwhile. 404: the child was removed, or was the other's.
    for (const answer of answers) expect([200, 401, 404, 409]).toContain(answer?.status);
    const { rows } = await app.pool.query<{ right: boolean }>(
      `select (erased_at is null) = exists (select from guardian where participant_id = $1) as right
       from participant where id = $1`,
      [child.id],
    );
    expect([first, last, rows]).toEqual([first, last, [{ right: true }]]);
  }
}, 1_200_000);

it(`FA1: two guardians in ${tabs} tabs each get one intent`, async () => {
  for (let round = 0; round < Math.max(1, rounds / 50); round++) {
    const [one, other, klass] = [await aUser(app), await aUser(app), await aClass(app)];
    const child = await aChild(app, [one, other]);
    const items = new Map<TestUser, string>();
    for (const who of [one, other]) {
      const item = { itemId: klass.id, participantId: child.id };
      items.set(who, (await app.send(addToCart, item, who.token)).body.insertedId);
    }
    const answers = await Promise.all(
      Array.from({ length: 2 * tabs }, (_, tab) => {
        const who = tab % 2 ? one : other;
        const asked = { price: 19.99, itemId: items.get(who) ?? '' };
        return (tab % 4 < 2 ? app : second).send(createIntent, asked, who.token);
      }),
    );
    const secrets = answers.flatMap(({ status, body }) =>
      status === 200 ? [body.clientSecret] : [],
    );
    expect([secrets.length, new Set(secrets).size]).toEqual([tabs, 1]);
    expect(
      await rowsOf(
        app,
        'hold',
        `participant_id = '${child.id}' and state in ('held', 'releasing')`,
      ),
    ).toHaveLength(1);
  }
}, 1_200_000);
