// What is paid for, the price, how long the seat is held, and the button that extends the hold.
import { useQueryClient } from '@tanstack/react-query';
import type { Answer } from '../../../../contract/call.ts';
import type { CartItem } from '../../../../contract/cart.ts';
import { limits } from '../../../../contract/limits.ts';
import { createIntent, extendHold } from '../../../../contract/payments.ts';
import { useCall } from '../../../api/query.ts';
import { Button } from '../../../ui/Button.tsx';
import { Countdown } from '../../../ui/Countdown.tsx';
import { ForWhom } from '../../../ui/ForWhom.tsx';
import { money } from '../../../ui/money.ts';
import { Picture } from '../../../ui/Picture.tsx';
import { WhenWhere } from '../../../ui/WhenWhere.tsx';

type Intent = Answer<typeof createIntent>;

interface SummaryProps {
  item: CartItem;
  intent: Intent;
  /** Null: no seat is held any more, or how long is not known yet. */
  seconds: number | null;
  onClosed: () => void;
}

export function Summary({ item, intent, seconds, onClosed }: SummaryProps) {
  const client = useQueryClient();
  const extend = useCall(extendHold);
  const keep = () =>
    extend.mutate(
      { id: intent.holdId },
      {
        onSuccess: ({ expiresAt }) =>
          client.setQueriesData<Intent>(
            { queryKey: [createIntent.id] },
            (held) => held && { ...held, expiresAt },
          ),
        onError: ({ code }) => code === 'CLASS_CLOSED' && onClosed(),
      },
    );

  return (
    <section aria-labelledby="summary" className="card border border-base-300 bg-base-100">
      <Picture
        src={item.img}
        alt=""
        width={640}
        height={360}
        className="rounded-t-box aspect-video w-full object-cover max-lg:hidden"
      />
      <div className="card-body gap-4 p-5">
        <div>
          <h2 id="summary" className="text-lg leading-snug font-bold wrap-anywhere">
            {intent.name}
          </h2>
          <ForWhom name={intent.participant} />
        </div>
        <WhenWhere schedule={item.schedule ?? ''} place={item.place ?? ''} />
        <p className="flex items-baseline justify-between border-y border-base-300 py-3">
          <span>One seat</span>
          <span className="text-2xl font-bold tabular-nums">{money(intent.price)}</span>
        </p>
        {seconds !== null && (
          <Countdown
            label="Your seat is held for"
            seconds={seconds}
            whole={limits.holdMinutes * 60}
          />
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
      </div>
    </section>
  );
}
