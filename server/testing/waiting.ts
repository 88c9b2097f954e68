// Classes that are full, and families on their lists.
import { endWait, joinList, listWaits } from '../../contract/checkout/waits.ts';
import { openBasket } from '../../contract/checkout/checkout.ts';
import type { TestApp } from './app.ts';
import {
  aBoughtSeat,
  type Asks,
  type Class,
  record,
  rowsOf,
  type Shop,
  until,
} from './checkout.ts';
import { aClass, type TestUser } from './factories.ts';

type Given = Parameters<typeof aClass>[1];
type Id = { id: string };

/** Of one seat, which is sold. */
export async function aFullClass(shop: Pick<Shop, 'app' | 'provider'>, given: Given = {}) {
  const klass = await aClass(shop.app, { ...given, capacity: 1 });
  await aBoughtSeat(shop, klass);
  return klass;
}

interface Joining {
  people?: readonly Id[];
  together?: boolean;
}

export const join = (
  app: Asks,
  who: TestUser,
  classes: readonly Id[],
  { people = [who], together = false }: Joining = {},
) => {
  const [classIds, participantIds] = [classes, people].map((all) => all.map(({ id }) => id));
  const input = { classIds: classIds ?? [], participantIds: participantIds ?? [], together };
  return app.send(joinList, input, who.token);
};

/** The id of the first wait that it makes. */
export const inLine = async (...joining: Parameters<typeof join>) =>
  (await join(...joining)).body.waits[0]?.id ?? '';

/** As the office adds them. */
export async function moreSeats(app: TestApp, { id }: Id, count = 1): Promise<void> {
  await app.pool.query('update class set capacity = capacity + $2 where id = $1', [id, count]);
  await app.money.tend([id]);
}

/** The time of all that is held for somebody in this class is over. */
export async function runsOut(app: TestApp, { id }: Id): Promise<void> {
  for (const change of [
    `update hold set expires_at = now() - interval '1 second' where class_id = $1 and state = 'held'`,
    `update wish set kept_until = now() - interval '1 second' where class_id = $1 and state = 'gathering'`,
  ])
    await app.pool.query(change, [id]);
  const over = `class_id = '${id}' and state in ('held', 'releasing') and expires_at < now()`;
  await until(
    async () => {
      await app.money.sweep();
      return rowsOf(app, 'hold', over);
    },
    (left) => left.length === 0,
  );
  await app.money.tend([id]);
}

/** The states of a wait, in the order of these classes. */
export async function statesOf(app: TestApp, waitId: string, ...classes: readonly Id[]) {
  const { rows } = await app.pool.query<{ id: string; state: string; ended: string | null }>(
    'select class_id as id, state, ended from wish where wait_id = $1',
    [waitId],
  );
  return classes.map(({ id }) => {
    const wish = rows.find((row) => row.id === id);
    return wish?.ended ?? wish?.state;
  });
}

export const waitsOf = async (app: Asks, who: TestUser) =>
  (await app.send(listWaits, {}, who.token)).body;

export const sayNo = (app: Asks, who: TestUser, id: string, klass?: Id) =>
  app.send(endWait, { id, ...(klass && { classId: klass.id }) }, who.token);

/** What is offered to somebody in a class. */
export async function offerOf(app: Asks, who: TestUser, klass: Id) {
  const wishes = (await waitsOf(app, who)).flatMap(({ classes }) => classes);
  return wishes.find(({ classId, state }) => classId === klass.id && state === 'offered');
}

/** Opens the payment of the seats. */
export const take = (app: Asks, who: TestUser, holds: readonly string[], cents = 1_999) =>
  app.send(openBasket, { items: [...holds], totalCents: cents * holds.length }, who.token);

export async function buy(
  { app, provider }: Pick<Shop, 'app' | 'provider'>,
  who: TestUser,
  klass: Class,
) {
  const offer = await offerOf(app, who, klass);
  const { body } = await take(app, who, offer?.holds ?? []);
  await provider.confirm(body.clientSecret ?? '');
  return record(app, who, body.clientSecret ?? '');
}
