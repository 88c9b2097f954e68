// How long seats are held, and the button that extends it. One extension is that of all seats of a
// basket.
import { useQueryClient } from '@tanstack/react-query';
import { openBasket } from '../../../../contract/checkout.ts';
import { limits } from '../../../../contract/limits.ts';
import { createIntent, extendHold } from '../../../../contract/payments.ts';
import { useCall } from '../../../api/query.ts';
import { Button } from '../../../ui/Button.tsx';
import { Countdown } from '../../../ui/Countdown.tsx';

interface HeldForProps {
  label: string;
  holdId: string;
  /** Null: no seat is held any more, or how long is not known yet. */
  seconds: number | null;
  onClosed: () => void;
}

export function HeldFor({ label, holdId, seconds, onClosed }: HeldForProps) {
  const client = useQueryClient();
  const extend = useCall(extendHold);
  const keep = () =>
    extend.mutate(
      { id: holdId },
      {
        onSuccess: ({ expiresAt }) => {
          for (const { id } of [createIntent, openBasket])
            client.setQueriesData<{ expiresAt: string }>(
              { queryKey: [id] },
              (held) => held && { ...held, expiresAt },
            );
        },
        onError: ({ code }) => code === 'CLASS_CLOSED' && onClosed(),
      },
    );
  return (
    <>
      {seconds !== null && (
        <Countdown label={label} seconds={seconds} whole={limits.holdMinutes * 60} />
      )}
      {!!seconds && (
        <Button look="outline" size="small" busy={extend.isPending} onClick={keep}>
          Give me more time
        </Button>
      )}
      <output className="muted text-sm empty:hidden">
        {extend.isSuccess && `You have ${limits.holdMinutes} more minutes.`}
        {extend.error?.code !== 'CLASS_CLOSED' && extend.error?.message}
      </output>
    </>
  );
}
