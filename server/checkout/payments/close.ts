// Closes a basket: cancels its intent at the card provider. Closed means that the provider said
// "canceled", or that the secret of the intent was never returned. The seats stay held; they are
// loose. A basket that was paid in the meantime is settled instead.
import type { Services } from '../../platform/services.ts';
import { type Cards, ProviderError } from '../../platform/cards.ts';
import { type Basket, lockBasket, loosen, readBasket, startClosing } from './basket.ts';
import type { Settle } from './settle.ts';

export type CloseOutcome = 'closed' | 'paid' | 'processing' | 'silent';
export type Close = (basketId: string, reason: string) => Promise<CloseOutcome>;

export function createClose({
  db,
  system,
  cards,
  settle,
  log,
}: Pick<Services, 'db' | 'system' | 'log'> & {
  cards: Pick<Cards, 'cancel'>;
  settle: Settle;
}): Close {
  return async function close(basketId, reason): Promise<CloseOutcome> {
    await startClosing(db, basketId, reason);
    const basket = await readBasket(db, { id: basketId });
    if (!basket || basket.state === 'closed') return 'closed';
    if (basket.state === 'paid') return 'paid';
    if (basket.intentId !== null) {
      const ended = await cancelled(basket.intentId);
      if (ended !== 'closed') return ended;
    }
    return (await finish(basket)) ? 'closed' : close(basketId, reason);
  };

  async function cancelled(intentId: string): Promise<CloseOutcome> {
    try {
      const intent = await cards.cancel(intentId);
      if (intent?.status === 'succeeded')
        return (await settle(intentId)).outcome === 'recorded' ? 'paid' : 'silent';
      if (!intent)
        log.error(
          { intentId },
          'the card provider does not know an intent of ours; its seat is freed',
        );
      return intent === null || intent.status === 'canceled' ? 'closed' : 'processing';
    } catch (error) {
      // The seats stay taken: an unsold seat is better than a seat sold twice.
      if (error instanceof ProviderError) return 'silent';
      throw error;
    }
  }

  /** False when the basket changed since it was read: it got an intent, or it was paid. */
  function finish({ id, intentId, studentId }: Basket): Promise<boolean> {
    return system([studentId], async (db) => {
      const basket = await lockBasket(db, { id });
      if (basket?.state !== 'closing' || basket.intentId !== intentId) return false;
      await loosen(db, basket);
      return true;
    });
  }
}
