// The payable items of the cart, when there are several to choose from.
import { useState } from 'react';
import type { CartItem } from '../../../../contract/cart.ts';
import { limits } from '../../../../contract/limits.ts';
import { paths } from '../../../paths.ts';
import { LinkButton } from '../../../ui/Button.tsx';
import { nameFor } from '../../../ui/ForWhom.tsx';
import { money } from '../../../ui/money.ts';
import { ChangeWho, ItemFor } from '../ChangeWho.tsx';

export function ChooseItem({ items }: { items: readonly CartItem[] }) {
  const [changing, setChanging] = useState<CartItem | null>(null);
  return (
    <section aria-labelledby="choose" className="card max-w-2xl border border-base-300 bg-base-100">
      <div className="card-body gap-3 p-5">
        <h2 id="choose" className="text-lg">
          Which class do you want to pay for?
        </h2>
        <ul className="divide-y divide-base-300">
          {items.map((item) => (
            <li key={item._id} className="flex items-center justify-between gap-3 py-3">
              <div className="min-w-0">
                <span className="font-semibold wrap-anywhere">{item.name}</span>
                <ItemFor item={item} among={items} onChange={setChanging} />
              </div>
              <span className="flex items-center gap-4 tabular-nums">
                {money(item.price)}
                <LinkButton
                  size="small"
                  to={paths.dashboard.paymentOf(item._id)}
                  state={{ item }}
                  aria-label={`Pay: ${nameFor(item.name, item.participant)}`}
                >
                  Pay
                </LinkButton>
              </span>
            </li>
          ))}
        </ul>
        {items.length <= limits.basketLines && (
          <LinkButton
            className="self-end"
            look="outline"
            to={paths.dashboard.paymentOfAll(items.map(({ _id }) => _id))}
          >
            Pay all
          </LinkButton>
        )}
      </div>
      {changing && <ChangeWho item={changing} onClose={() => setChanging(null)} />}
    </section>
  );
}
