// sync(intent): brings our rows up to date with one intent at the provider. Events, the reconciler
// and the hourly comparison all call it.
import type { Database } from '../../../db/connection.ts';
import type { Cards, Intent } from '../../../outside/cards.ts';
import { type Hold, holdOfIntent, isLive, noteDeclines } from '../seats/holds.ts';
import type { GiveUp } from '../seats/release.ts';
import { confirmPayment } from '../payments/rows.ts';
import type { Settle } from '../payments/settle.ts';

/** The number of declined cards that we allow on one intent, against card testing. */
const mostDeclines = 5;

type Deps = {
  db: Database['db'];
  cards: Pick<Cards, 'intent' | 'refusals'>;
  settle: Settle;
  giveUp: GiveUp;
};

export type Sync = (intentId: string) => Promise<Intent | null>;

export function createSync({ db, cards, settle, giveUp }: Deps): Sync {
  return async (intentId) => {
    const intent = await cards.intent(intentId);
    if (intent?.status === 'succeeded') {
      const { outcome } = await settle(intentId);
      if (outcome === 'recorded') await confirmPayment(db, intentId);
      return intent;
    }
    const hold = await holdOfIntent(db, intentId);
    if (!hold || !isLive(hold)) return intent;
    if (!intent || intent.status === 'canceled')
      await giveUp({ id: hold.id }, 'cancelled at the provider');
    else if (intent.refused) await countDeclines(hold, intentId);
    return intent;
  };

  async function countDeclines(hold: Hold, intentId: string): Promise<void> {
    const declines = await cards.refusals(intentId);
    await noteDeclines(db, hold.id, declines);
    if (declines >= mostDeclines) await giveUp({ id: hold.id }, 'too many cards were declined');
  }
}
