// Buyers who pay for two to four classes at once, remove one of them meanwhile, or leave.
import { setTimeout as sleep } from 'node:timers/promises';
import { openBasket, quoteBasket } from '../../contract/checkout.ts';
import type { RefusedLine } from '../../contract/lines.ts';
import { secretOf } from '../../server/testing/provider.ts';
import type { Dice } from './dice.ts';
import type { Journal } from './journal.ts';
import type { Ask, Person } from './people.ts';

interface Chosen {
  classId: string;
  item: string;
}

/** What the bots can do with one class or payment. False: something is down. */
export interface Hands {
  journal: Journal;
  ask: Ask;
  select: (who: Person, classId: string) => Promise<boolean>;
  remove: (who: Person, classId: string, item: string) => Promise<boolean>;
  pay: (clientSecret: string, chance: Dice) => Promise<void>;
  record: (who: Person, clientSecret: string) => Promise<boolean>;
}

export async function buyTogether(
  hands: Hands,
  who: Person,
  classIds: readonly string[],
  chance: Dice,
): Promise<boolean> {
  const { journal } = hands;
  let chosen: Chosen[] = [];
  for (const classId of classIds) {
    if (journal.item(who.id, classId) !== 'absent') continue;
    if (!(await hands.select(who, classId))) return false;
    const item = journal.item(who.id, classId);
    if (typeof item !== 'string') chosen.push({ classId, item: item.id });
  }
  for (let tries = 1; tries <= 4 && chosen.length > 0; tries++) {
    const answer = await open(hands, who, chosen);
    if ('secret' in answer) return finish(hands, who, chosen, answer.secret, chance);
    chosen = chosen.filter(({ item }) => !answer.without.includes(item));
    await sleep(150);
  }
  return true;
}

/** The client secret, or the items that cannot be had. */
async function open(
  { journal, ask }: Hands,
  who: Person,
  chosen: readonly Chosen[],
): Promise<{ secret: string } | { without: string[] }> {
  const items = chosen.map(({ item }) => item);
  const quoted = await ask(who, quoteBasket, { items: items.join() });
  if (!quoted.ok) return { without: quoted.down ? [] : items };
  const told = await ask(who, openBasket, { items, total: quoted.body.total });
  if (told.ok && told.body.clientSecret) {
    journal.row('hold', told.body.holdId);
    journal.row('basket', `${told.body.basketId} ${secretOf(told.body.clientSecret).intent}`);
    return { secret: told.body.clientSecret };
  }
  const { code, lines = [] } = told.body as { code?: string; lines?: RefusedLine[] };
  if (code === 'BASKET_REFUSED') return { without: lines.map(({ item }) => item) };
  return { without: told.down || code === 'TOTAL_CHANGED' ? [] : items };
}

async function finish(
  hands: Hands,
  who: Person,
  chosen: readonly Chosen[],
  secret: string,
  chance: Dice,
): Promise<boolean> {
  const [first] = chosen;
  if (first && chance.chance(0.12)) return hands.remove(who, first.classId, first.item);
  // From here on the items are deleted when the payment is recorded, by any process.
  for (const { classId } of chosen) hands.journal.setItem(who.id, classId, 'unknown', false);
  if (chance.chance(0.1)) return true;
  await hands.pay(secret, chance);
  return chance.chance(0.25) || hands.record(who, secret);
}
