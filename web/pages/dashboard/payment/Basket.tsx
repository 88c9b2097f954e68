// /dashboard/payment?items=…: pays for several items of the cart at once. Asks what they cost, holds
// their seats, then shows the card form and the lines; or what cannot be had.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Answer } from '../../../../contract/call.ts';
import { openBasket, quoteBasket } from '../../../../contract/checkout.ts';
import type { BasketLine, RefusedLine } from '../../../../contract/lines.ts';
import { useSecondsLeft } from '../../../api/clock.ts';
import { query } from '../../../api/query.ts';
import { paths } from '../../../paths.ts';
import { BasketProblem } from './BasketProblem.tsx';
import { BasketRefused } from './BasketRefused.tsx';
import { BasketSummary } from './BasketSummary.tsx';
import { CardPanel } from './CardPanel.tsx';
import { FreePanel } from './FreePanel.tsx';
import { HoldingSeats } from './HoldingSeats.tsx';
import type { Held } from './usePayment.ts';

/** Read when the page is opened and when the buyer asks: it holds seats. */
const onlyWhenAsked = {
  retry: false,
  gcTime: 0,
  staleTime: Infinity,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  placeholderData: keepPreviousData,
} as const;

export interface BasketProps {
  ids: readonly string[];
  coupon: string | undefined;
  user: { name: string; email: string };
}

export function Basket({ ids, coupon, user }: BasketProps) {
  const navigate = useNavigate();
  const seen = seenTotal(useLocation().state);
  const asked = { items: ids.join(','), ...(coupon && { coupon }) };
  const quote = useQuery({
    ...query(quoteBasket, asked),
    queryKey: [quoteBasket.id, asked, 'payment'],
    ...onlyWhenAsked,
  });
  const total = seen ?? quote.data?.total ?? 0;
  const unavailable = quote.isPlaceholderData ? [] : refusedOf(quote.data?.lines ?? []);
  const basket = useQuery({
    ...query(openBasket, { items: [...ids], total, ...(coupon && { coupon }) }),
    ...onlyWhenAsked,
    enabled: quote.data !== undefined && !quote.isPlaceholderData && unavailable.length === 0,
  });
  const again = async () => {
    const { data } = await quote.refetch();
    if (data && refusedOf(data.lines).length === 0) await basket.refetch();
  };
  const go = (to: { coupon?: string | undefined; seen?: number }) =>
    void navigate(paths.dashboard.paymentOfAll(ids, to.coupon), {
      replace: true,
      state: to.seen === undefined ? null : { seen: to.seen },
    });

  const lines = quote.data?.lines ?? [];
  const error = quote.error ?? (basket.isFetching ? null : basket.error);
  const refused = error?.code === 'BASKET_REFUSED' ? (error.lines as RefusedLine[]) : unavailable;
  if (refused && refused.length > 0)
    return <BasketRefused lines={lines} refused={refused} coupon={coupon} />;
  if (error)
    return (
      <BasketProblem
        error={error}
        seen={total}
        onAgain={() => void again()}
        onTotal={(price) => go({ coupon, seen: price })}
        onWithoutCoupon={() => go({})}
      />
    );
  if (!basket.data) return <HoldingSeats />;
  return (
    <BasketForm
      basket={basket.data}
      // A change of the code holds the seats anew; the card that was typed stays.
      changing={basket.isPlaceholderData || basket.isFetching}
      coupon={coupon}
      ids={ids}
      user={user}
      onHoldAgain={() => void again()}
      onCoupon={go}
    />
  );
}

interface BasketFormProps extends BasketProps {
  basket: Answer<typeof openBasket>;
  changing: boolean;
  onHoldAgain: () => void;
  onCoupon: (to: { coupon?: string; seen?: number }) => void;
}

function BasketForm({ basket, changing, onHoldAgain, ...rest }: BasketFormProps) {
  const { ids, coupon, user } = rest;
  const seconds = useSecondsLeft(basket.expiresAt);
  const [closed, setClosed] = useState(false);
  const onClosed = () => setClosed(true);
  if (closed) return <DeniedMeanwhile lines={basket.lines} coupon={coupon} seconds={seconds} />;
  const { clientSecret } = basket;
  return (
    <div
      className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]"
      inert={changing}
      aria-busy={changing}
    >
      {clientSecret === null ? (
        <FreePanel
          basketId={basket.basketId}
          name={nameOf(basket.lines)}
          expired={seconds === 0}
          onHoldAgain={onHoldAgain}
        />
      ) : (
        <CardPanel
          intent={heldOf(basket, clientSecret)}
          user={user}
          expired={seconds === 0}
          closed={false}
          onClosed={onClosed}
          onHoldAgain={onHoldAgain}
        />
      )}
      <BasketSummary
        basket={basket}
        ids={ids}
        coupon={coupon}
        seconds={seconds}
        onClosed={onClosed}
        onCoupon={rest.onCoupon}
      />
    </div>
  );
}

/** One class was denied: the seats of the others are still held. */
function DeniedMeanwhile({
  lines,
  coupon,
  seconds,
}: {
  lines: readonly BasketLine[];
  coupon: string | undefined;
  seconds: number | null;
}) {
  const asked = { items: lines.map(({ item }) => item).join(',') };
  const now = useQuery({ ...query(quoteBasket, asked), gcTime: 0, staleTime: 0 });
  if (!now.data) return <HoldingSeats />;
  return (
    <BasketRefused
      lines={lines}
      refused={refusedOf(now.data.lines)}
      coupon={coupon}
      heldFor={seconds}
    />
  );
}

/** What the quote already says cannot be had. */
function refusedOf(lines: readonly BasketLine[]): RefusedLine[] {
  const gone = lines.filter(({ state }) => state === 'sold-out' || state === 'closed');
  return gone.map(({ item, state }) => ({
    item,
    code: state === 'sold-out' ? 'SOLD_OUT' : 'CLOSED',
  }));
}

/** 'Tennis' or '3 classes: Tennis, Swimming, Yoga' */
function nameOf(lines: readonly BasketLine[]): string {
  const names = [...new Set(lines.map(({ name }) => name))].join(', ');
  return lines.length === 1 ? names : `${lines.length} classes: ${names}`;
}

const heldOf = (basket: Answer<typeof openBasket>, clientSecret: string): Held => ({
  clientSecret,
  holdId: basket.holdId,
  expiresAt: basket.expiresAt,
  itemId: basket.lines[0]?.itemId ?? '',
  name: nameOf(basket.lines),
  price: basket.card,
  classIds: basket.lines.map(({ itemId }) => itemId),
  clashes: basket.lines.flatMap(({ clashes = [] }) => clashes),
});

/** The total that the cart showed. The history keeps anything: look before using it. */
function seenTotal(state: unknown): number | undefined {
  const { seen } = (state ?? {}) as { seen?: unknown };
  return typeof seen === 'number' ? seen : undefined;
}
