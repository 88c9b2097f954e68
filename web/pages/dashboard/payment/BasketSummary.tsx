// The lines of a basket with their discounts, the code, the total, and how long the seats are held.
import type { Answer } from '../../../../contract/call.ts';
import type { openBasket } from '../../../../contract/checkout.ts';
import type { BasketLine } from '../../../../contract/lines.ts';
import { ClashNote } from '../../../features/classes/ClashNote.tsx';
import { ForWhom } from '../../../ui/ForWhom.tsx';
import { money } from '../../../ui/money.ts';
import { CouponField } from './CouponField.tsx';
import { HeldFor } from './HeldFor.tsx';

interface BasketSummaryProps {
  basket: Answer<typeof openBasket>;
  ids: readonly string[];
  coupon: string | undefined;
  seconds: number | null;
  onClosed: () => void;
  onCoupon: (to: { coupon?: string; seen?: number }) => void;
}

export function BasketSummary({
  basket,
  ids,
  coupon,
  seconds,
  onClosed,
  onCoupon,
}: BasketSummaryProps) {
  const { lines, total, saved } = basket;
  return (
    <section aria-labelledby="summary" className="card border-base-300 bg-base-100 border">
      <div className="card-body gap-4 p-5">
        <h2 id="summary" className="text-lg">
          {lines.length === 1 ? 'One seat' : `${lines.length} seats`}
        </h2>
        <ul className="divide-base-300 border-base-300 divide-y border-y">
          {lines.map((line) => (
            <Line key={line.item} line={line} among={lines} />
          ))}
        </ul>
        <CouponField ids={ids} coupon={coupon} onCoupon={onCoupon} />
        <div className="border-base-300 border-t pt-3">
          <p className="flex items-baseline justify-between">
            <span>Total</span>
            <span className="figures text-2xl font-bold">{money(total)}</span>
          </p>
          {saved > 0 && (
            <p className="text-success text-right text-sm font-medium">You save {money(saved)}</p>
          )}
        </div>
        <HeldFor
          label={lines.length === 1 ? 'Your seat is held for' : 'Your seats are held for'}
          holdId={basket.holdId}
          seconds={seconds}
          onClosed={onClosed}
        />
      </div>
    </section>
  );
}

function Line({ line, among }: { line: BasketLine; among: readonly BasketLine[] }) {
  const { name, participant, price, discount, amount, why, clashes } = line;
  return (
    <li className="flex flex-col gap-0.5 py-3">
      <div className="flex items-baseline justify-between gap-4">
        <span className="font-semibold wrap-anywhere">{name}</span>
        <span className="figures shrink-0 text-right">
          {discount > 0 && (
            <s className="muted mr-2 text-sm">
              <span className="sr-only">List price: </span>
              {money(price)}
            </s>
          )}
          {money(amount)}
        </span>
      </div>
      <ForWhom name={participant} among={among} />
      {why.map(({ text, amount: off }) => (
        <p key={text} className="text-success flex justify-between gap-4 text-sm">
          <span className="wrap-anywhere">{text}</span>
          <span className="figures">−{money(off)}</span>
        </p>
      ))}
      <ClashNote clashes={clashes} />
    </li>
  );
}
