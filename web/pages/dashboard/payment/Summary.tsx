// What is paid for, the price, and how long the seat is held. A code that counts leads to the page of
// several seats, with this one: there the payment has lines with discounts.
import { useNavigate } from 'react-router';
import type { Answer } from '../../../../contract/call.ts';
import type { CartItem } from '../../../../contract/cart.ts';
import type { createIntent } from '../../../../contract/payments.ts';
import { paths } from '../../../paths.ts';
import { ForWhom } from '../../../ui/ForWhom.tsx';
import { money } from '../../../ui/money.ts';
import { Picture } from '../../../ui/Picture.tsx';
import { WhenWhere } from '../../../ui/WhenWhere.tsx';
import { CouponField } from './CouponField.tsx';
import { HeldFor } from './HeldFor.tsx';

type Intent = Answer<typeof createIntent>;

interface SummaryProps {
  item: CartItem;
  intent: Intent;
  /** Null: no seat is held any more, or how long is not known yet. */
  seconds: number | null;
  onClosed: () => void;
}

export function Summary({ item, intent, seconds, onClosed }: SummaryProps) {
  const navigate = useNavigate();
  const ids = [item._id];
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
          <span className="figures text-2xl font-bold">{money(intent.price)}</span>
        </p>
        <CouponField
          ids={ids}
          coupon={undefined}
          onCoupon={({ coupon, seen }) =>
            void navigate(paths.dashboard.paymentOfAll(ids, coupon), {
              replace: true,
              state: { seen },
            })
          }
        />
        <HeldFor
          label="Your seat is held for"
          holdId={intent.holdId}
          seconds={seconds}
          onClosed={onClosed}
        />
      </div>
    </section>
  );
}
