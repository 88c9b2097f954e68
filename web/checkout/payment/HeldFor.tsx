// Until when the seats are held: one quiet line. When it is nearly over, what can be done about it.
import { useQueryClient } from '@tanstack/react-query';
import { openBasket } from '../../../contract/checkout/checkout.ts';
import { extendHold } from '../../../contract/checkout/payments.ts';
import { useCall } from '../../platform/api/query.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { clockOf } from '../../platform/ui/dates.ts';
import { keepFocus } from '../../platform/ui/focus.ts';
import { Note } from '../../platform/ui/Note.tsx';
import { untilInWords } from '../waiting/until.ts';
import { uncharged } from './Problem.tsx';
import type { Opening } from './useOpening.ts';
import type { Till } from './usePayment.ts';

const warnFrom = 180;

/** One extension is that of all seats of the basket. */
export function HeldFor({ basket, seconds, again }: Till) {
  const client = useQueryClient();
  const extend = useCall(extendHold);
  const keep = () =>
    extend.mutateAsync(
      { id: basket.holdId },
      {
        onSuccess: ({ expiresAt }) =>
          void client.setQueriesData<Opening>(
            { queryKey: [openBasket.id] },
            (held) => held?.basket && { ...held, basket: { ...held.basket, expiresAt } },
          ),
        onError: ({ code }) => code === 'CLASS_CLOSED' && again(),
      },
    );
  if (seconds === null) return null;
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <>
      <output className="meta">
        Held until{' '}
        {seconds > 12 * 3_600 ? untilInWords(basket.expiresAt) : clockOf(basket.expiresAt)}
      </output>
      {seconds > 0 && seconds <= warnFrom && (
        <Note
          tone="warn"
          title={
            <>
              Held for <span role="timer">{clock}</span> more
            </>
          }
          action={
            <Button
              look="outline"
              busy={extend.isPending}
              onClick={({ currentTarget }) =>
                void keepFocus(currentTarget, () => keep().catch(() => undefined))
              }
            >
              Give me more time
            </Button>
          }
        >
          {extend.error && extend.error.code !== 'CLASS_CLOSED' && (
            <p role="alert">{uncharged(extend.error.message)}</p>
          )}
        </Note>
      )}
      <p aria-live="polite" className="sr-only">
        {announcement(seconds)}
      </p>
    </>
  );
}

/** Changes four times in all, so that a screen reader does not count aloud. */
function announcement(seconds: number): string {
  if (seconds === 0) return 'The time is over.';
  if (seconds <= 30) return 'Less than 30 seconds left.';
  if (seconds <= 120) return 'Less than two minutes left.';
  return seconds <= warnFrom ? 'Three minutes left. You can have more time.' : '';
}
