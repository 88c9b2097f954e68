// The users while the academy fails: students who fill and empty carts, students who buy,
// instructors who add classes, an admin who decides and changes prices. Each records what was
// acknowledged.
import { setTimeout as sleep } from 'node:timers/promises';
import { addToCart, removeFromCart } from '../../contract/cart.ts';
import {
  addClass,
  approveClass,
  denyClass,
  giveFeedback,
  updateClass,
} from '../../contract/classes.ts';
import { createIntent, recordPayment } from '../../contract/payments.ts';
import { dollars } from '../../contract/rules.ts';
import { secretOf } from '../../server/testing/provider.ts';
import { buyTogether, type Hands } from './baskets.ts';
import { type Dice, dice } from './dice.ts';
import { type Journal, openJournal } from './journal.ts';
import { type Ask, askers, people, type Person } from './people.ts';
import type { World } from './world.ts';

/**
 * A class on sale. `refused`: how often it was sold out; after some times no more bots ask for it.
 */
interface Offer {
  id: string;
  cents: number;
  refused: number;
}

interface Academy {
  world: Omit<World, 'close'>;
  journal: Journal;
  ask: Ask;
  /** Many seats, in many carts, never bought. */
  shelves: string[];
  /** Few seats with many buyers. */
  market: Offer[];
  waiting: Offer[];
}

export interface Crowd {
  browsers: number;
  buyers: number;
  instructors: number;
}
export const soakCrowd: Crowd = { browsers: 14, buyers: 4, instructors: 2 };

const offersAtOnce = 8;
const studentsEach = 10;
const shelfSize = 200;
const cartSize = 20;

export interface Running {
  journal: Journal;
  /** All bots finish what they are doing. */
  stop: () => Promise<void>;
}

export async function letIn(
  world: Academy['world'],
  seed: number,
  crowd: Crowd = soakCrowd,
): Promise<Running> {
  const journal = openJournal();
  const ask = askers(world, (line) => journal.astray.push(line));
  const academy: Academy = { world, journal, ask, shelves: [], market: [], waiting: [] };
  const instructors = await people(world, 'instructor', crowd.instructors);
  const [admin] = await people(world, 'admin', 1);
  const students = await people(world, 'student', (crowd.browsers + crowd.buyers) * studentsEach);
  academy.shelves = await stock(world, instructors[0]?.id ?? '');

  const closing = new AbortController();
  let seeds = seed * 1_000;
  const forever = async (turn: (chance: Dice) => Promise<boolean>, pauseMs: number) => {
    const chance = dice((seeds += 1));
    while (!closing.signal.aborted) await sleep((await turn(chance)) ? pauseMs : 150);
  };
  const someOf = (place: number) =>
    students.slice(place * studentsEach, (place + 1) * studentsEach);
  const lives = [
    ...Array.from({ length: crowd.browsers }, (_, n) =>
      forever((chance) => browse(academy, someOf(n), chance), 8),
    ),
    ...Array.from({ length: crowd.buyers }, (_, n) =>
      forever((chance) => buy(academy, someOf(crowd.browsers + n), chance), 150),
    ),
    ...(admin
      ? instructors.map((who) => {
          const own: Offer[] = [];
          return forever((chance) => teach(academy, { who, admin }, own, chance), 60);
        })
      : []),
    ...(admin ? [forever((chance) => decide(academy, admin, chance), 40)] : []),
  ];
  return {
    journal,
    stop: async () => {
      closing.abort();
      await Promise.all(lives);
    },
  };
}

/** One ordinary read, which is not recorded. */
export async function warmUp(world: Academy['world']): Promise<void> {
  const { stop } = await letIn(world, 0, { browsers: 4, buyers: 4, instructors: 1 });
  await sleep(2_500);
  await stop();
}

async function stock({ pool }: Academy['world'], instructorId: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into class (instructor_id, name, img, price_cents, capacity, status)
     select $1, 'Shelf ' || n, '/media/class/first-touch-soccer.webp', 1500, 10000, 'approved' from generate_series(1, $2::int) n returning id`,
    [instructorId, shelfSize],
  );
  return rows.map(({ id }) => id);
}

/** True: there was a response. False: wait a little, something is down. */
type Turn = Promise<boolean>;

async function browse(academy: Academy, students: Person[], chance: Dice): Turn {
  const { journal, shelves } = academy;
  const who = chance.pick(students);
  const chosen = journal.items(who.id);
  if (chosen.length > 0 && (chosen.length > cartSize || chance.chance(0.5))) {
    const [classId, item] = chance.pick(chosen);
    return remove(academy, who, classId, item.id);
  }
  const classId = chance.pick(shelves);
  return journal.item(who.id, classId) === 'absent' ? select(academy, who, classId) : true;
}

async function select({ journal, ask }: Academy, who: Person, classId: string): Turn {
  const told = await ask(who, addToCart, { itemId: classId });
  if (told.ok) journal.setItem(who.id, classId, { id: told.body.insertedId }, true);
  else if (told.unknown) journal.setItem(who.id, classId, 'unknown', false);
  else if (told.body.code === 'ALREADY_IN_CART')
    journal.broken.push(
      `class ${classId}: its removal from the cart of ${who.id} was acknowledged, and it is there`,
    );
  return !told.down;
}

async function remove(
  { journal, ask }: Academy,
  who: Person,
  classId: string,
  itemId: string,
): Turn {
  const told = await ask(who, removeFromCart, { id: itemId });
  if (told.unknown) journal.setItem(who.id, classId, 'unknown', false);
  else if (told.ok && told.body.deletedCount === 1)
    journal.setItem(who.id, classId, 'absent', true);
  else if (told.ok || told.body.code === 'NOT_FOUND') {
    journal.broken.push(`cart item ${itemId}: acknowledged, and then unknown`);
    journal.setItem(who.id, classId, 'unknown', false);
  }
  return !told.down;
}

/** The whole purchase: cart, seat, card, record; or only a part of it. */
async function buy(academy: Academy, students: Person[], chance: Dice): Turn {
  const { journal, market } = academy;
  const who = chance.pick(students);
  const offer = market.length > 0 ? chance.pick(market) : undefined;
  if (!offer) return true;
  if (chance.chance(0.35)) {
    const wanted = Array.from({ length: chance.between(2, 4) }, () => chance.pick(market).id);
    return buyTogether(handsOf(academy), who, [...new Set(wanted)], chance);
  }
  const before = journal.item(who.id, offer.id);
  if (before === 'unknown' && chance.chance(0.1)) return beginAnew(academy, who, offer, chance);
  if (before !== 'absent') return true;
  if (!(await select(academy, who, offer.id))) return false;
  const item = journal.item(who.id, offer.id);
  if (typeof item === 'string') {
    giveUpOn(academy, offer);
    return true;
  }
  const clientSecret = await seat(academy, who, offer, chance, { first: true });
  if (clientSecret === null) return true;
  if (chance.chance(0.12)) return remove(academy, who, offer.id, item.id);
  // From here on the item is deleted when the payment is recorded, by any process.
  journal.setItem(who.id, offer.id, 'unknown', false);
  if (chance.chance(0.1)) return true;
  await pay(academy, clientSecret, chance);
  if (chance.chance(0.1)) return beginAnew(academy, who, offer, chance);
  if (chance.chance(0.25)) return true;
  return record(academy, who, clientSecret);
}

const handsOf = (academy: Academy): Hands => ({
  journal: academy.journal,
  ask: academy.ask,
  select: (who, classId) => select(academy, who, classId),
  remove: (who, classId, item) => remove(academy, who, classId, item),
  pay: (secret, chance) => pay(academy, secret, chance),
  record: (who, secret) => record(academy, who, secret),
});

/**
 * Like a user who saw an error, at once or later: cart, seat and card once more. Whatever happened
 * the first time, they may be charged only once; what is in the cart afterwards is unknown.
 */
async function beginAnew(academy: Academy, who: Person, offer: Offer, chance: Dice): Turn {
  academy.journal.anew.times += 1;
  // Still there or not: both are right.
  await academy.ask(who, addToCart, { itemId: offer.id });
  const clientSecret = await seat(academy, who, offer, chance, { first: false });
  if (clientSecret === null) return true;
  await pay(academy, clientSecret, chance);
  return record(academy, who, clientSecret);
}

function giveUpOn({ market }: Academy, offer: Offer): void {
  offer.refused += 1;
  if (offer.refused >= 6 && market.includes(offer)) market.splice(market.indexOf(offer), 1);
}

/**
 * Like a browser that repeats: the response is the same however often it asks, and in any tab. Only
 * the `first` time, because an older hold may end between two tabs, and its item may be gone.
 */
async function seat(
  academy: Academy,
  who: Person,
  offer: Offer,
  chance: Dice,
  { first }: { first: boolean },
) {
  const { journal, ask } = academy;
  let seen = offer.cents;
  for (let tries = 1; tries <= 4; tries++) {
    const asking = [ask(who, createIntent, { price: dollars(seen), itemId: offer.id })];
    if (chance.chance(0.1))
      asking.push(ask(who, createIntent, { price: dollars(seen), itemId: offer.id }, 1 - who.at));
    const answers = await Promise.all(asking);
    const secrets = new Set<string>();
    for (const { ok, body } of answers) {
      if (!ok) continue;
      journal.row('hold', body.holdId);
      secrets.add(body.clientSecret);
    }
    const [secret] = secrets;
    if (first && secrets.size > 1)
      journal.twoSecrets.push(`student ${who.id}: two secrets for class ${offer.id}`);
    if (secret !== undefined) return secret;
    const [{ body, down } = { body: {}, down: true }] = answers;
    const { code, price } = body as { code?: string; price?: number };
    if (code === 'ALREADY_PAID' || code === 'ALREADY_ENROLLED') journal.anew.paidAlready += 1;
    if (code === 'NOT_IN_CART' && first && tries === 1)
      journal.broken.push(
        `class ${offer.id}: acknowledged in the cart of ${who.id}, and not there`,
      );
    if (code === 'PRICE_CHANGED' && price !== undefined) seen = Math.round(price * 100);
    else if (code === 'SOLD_OUT' || code === 'NOT_FOUND') giveUpOn(academy, offer);
    else if (!down) return null;
    await sleep(150);
  }
  return null;
}

/**
 * In the browser: a declined card is replaced by another, a request without a response is repeated.
 */
async function pay({ world }: Academy, clientSecret: string, chance: Dice): Promise<void> {
  const cards = chance.chance(0.1) ? ['visa_chargeDeclined', 'visa'] : ['visa'];
  for (const card of [...cards, 'visa']) {
    try {
      const { body } = await world.provider.confirm(clientSecret, card);
      if (body.status === 'succeeded' || body.status === 'processing') return;
    } catch {
      // Lost on the way: only the provider knows whether it was charged.
    }
  }
}

async function record({ journal, ask }: Academy, who: Person, clientSecret: string): Turn {
  const { intent } = secretOf(clientSecret);
  for (let tries = 1; tries <= 3; tries++) {
    const told = await ask(who, recordPayment, { transactionId: intent });
    if (told.ok) journal.row('payment', `${told.body.insertResult.insertedId} ${intent}`);
    if (told.ok || !told.down) return true;
    await sleep(200);
  }
  return false;
}

/** A price that the instructor of a class on sale changes would wait: the admin changes it. */
async function teach(
  academy: Academy,
  { who, admin }: Record<'who' | 'admin', Person>,
  own: Offer[],
  chance: Dice,
): Turn {
  const { journal, ask, market, waiting } = academy;
  const wanted = market.length + waiting.length < offersAtOnce;
  if (wanted || own.length === 0) {
    const cents = chance.between(500, 9_999);
    const told = await ask(who, addClass, {
      name: `Class ${chance.between(1, 1_000_000)}`,
      img: '/media/class/first-touch-soccer.webp',
      price: dollars(cents),
      seat: chance.between(3, 12),
    });
    if (told.ok) {
      const offer = { id: told.body.insertedId, cents, refused: 0 };
      journal.row('class', offer.id);
      journal.price(offer.id, cents, true);
      own.push(offer);
      waiting.push(offer);
    }
    return !told.down;
  }
  const offer = chance.pick(own.slice(-20));
  const cents = chance.between(500, 9_999);
  if (cents === offer.cents) return true;
  const told = await ask(admin, updateClass, { id: offer.id, price: dollars(cents) });
  if (told.unknown) journal.price(offer.id, cents, false);
  else if (told.ok) {
    if (told.body.modifiedCount === 1) journal.audited(offer.id, 'class changed');
    journal.price(offer.id, cents, true);
    offer.cents = cents;
  }
  return !told.down;
}

async function decide(academy: Academy, admin: Person, chance: Dice): Turn {
  const { journal, ask, market, waiting } = academy;
  const [next] = waiting;
  if (next) {
    const told = await ask(admin, approveClass, { id: next.id });
    if (told.down) return false;
    if (told.ok && told.body.modifiedCount === 1)
      journal.audited(next.id, 'class pending → approved');
    waiting.shift();
    if (told.ok) market.push(next);
    return true;
  }
  if (market.length > 0 && chance.chance(0.01)) {
    const offer = chance.pick(market);
    const told = await ask(admin, denyClass, { id: offer.id });
    if (told.ok && told.body.modifiedCount === 1)
      journal.audited(offer.id, 'class approved → denied');
    market.splice(market.indexOf(offer), 1);
    return !told.down;
  }
  const classId = chance.pick(academy.shelves);
  const told = await ask(admin, giveFeedback, {
    id: classId,
    feedback: `Well done, ${chance.between(1, 1_000)} times.`,
  });
  if (told.ok) journal.audited(classId, 'class feedback');
  return !told.down;
}
