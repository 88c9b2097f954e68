// sync(intent): brings our rows up to date with one intent at the provider. Events, the reconciler
// and the hourly comparison all call it.
import type { Services } from '../../platform/services.ts';
import { readBasket } from '../payments/basket.ts';
import type { GiveUp } from '../seats/release.ts';
import type { Close } from '../payments/close.ts';
import { confirmPayment } from '../payments/rows.ts';
import type { Settle } from '../payments/settle.ts';

/** The number of declined cards that we allow on one intent, against card testing. */
const mostDeclines = 5;

export type Sync = (intentId: string) => Promise<void>;

export function createSync({
  db,
  cards,
  settle,
  giveUp,
  close,
}: Services & { settle: Settle; giveUp: GiveUp; close: Close }): Sync {
  return async (intentId) => {
    const intent = await cards.intent(intentId);
    if (intent?.status === 'succeeded') {
      const { outcome } = await settle(intentId);
      if (outcome === 'recorded') await confirmPayment(db, intentId);
      return;
    }
    const basket = await readBasket(db, { intentId });
    if (!basket || (basket.state !== 'open' && basket.state !== 'closing')) return;
    const ended = !intent || intent.status === 'canceled';
    // We are closing it ourselves: its seats stay held.
    if (basket.state === 'closing') {
      if (ended) await close(basket.id, 'cancelled at the provider');
    } else if (ended) await giveUp({ basketId: basket.id }, 'cancelled at the provider');
    else if (intent.refused && (await cards.refusals(intentId)) >= mostDeclines)
      await giveUp({ basketId: basket.id }, 'too many cards were declined');
  };
}
