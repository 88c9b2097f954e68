// The payment without a named item: the only one that can be paid for, or all of them, until some are
// unchecked.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate } from 'react-router';
import { type CartItem, getCart } from '../../../contract/checkout/cart.ts';
import { query } from '../../platform/api/query.ts';
import { CartBar } from '../CartBar.tsx';
import { carrying, Check, useChoice } from '../Check.tsx';
import { paths } from '../../platform/paths.ts';
import { Amount } from '../../platform/ui/Amount.tsx';
import { LinkButton } from '../../platform/ui/Button.tsx';
import { Card } from '../../platform/ui/Card.tsx';
import { EmptyState, ErrorNote, Skeleton } from '../../platform/ui/States.tsx';
import { ChangeWho, ItemFor } from '../../classes/ChangeWho.tsx';

export function Choose() {
  const cart = useQuery(query(getCart, {}));
  const choice = useChoice(cart.data ?? []);
  const [changing, setChanging] = useState<CartItem | null>(null);
  if (cart.error && !cart.data)
    return <ErrorNote message={cart.error.message} onRetry={() => void cart.refetch()} />;
  if (!cart.data) return <Skeleton className="h-80" />;
  const { payable, chosen } = choice;
  const [only, another] = payable;
  if (!only)
    return (
      <EmptyState
        title="Nothing to pay for"
        action={<LinkButton to={paths.dashboard.myCart}>Go to my cart</LinkButton>}
      >
        Choose a class in your cart and press Pay.
      </EmptyState>
    );
  if (!another)
    return (
      <Navigate to={paths.dashboard.paymentOf(only.cartItemId)} state={carrying(only)} replace />
    );
  return (
    <div className="max-w-2xl">
      <Card title="Which classes do you want to pay for?">
        <ul className="divide-base-300 divide-y">
          {payable.map((item) => (
            <li key={item.cartItemId} className="flex items-center gap-3 py-3">
              <Check item={item} choice={choice} />
              <div className="min-w-0 flex-1">
                <span className="font-semibold wrap-anywhere">{item.name}</span>
                <ItemFor item={item} among={payable} onChange={setChanging} />
              </div>
              <Amount cents={item.cents} />
            </li>
          ))}
        </ul>
      </Card>
      <CartBar chosen={chosen} payable={payable.length} />
      {changing && (
        <ChangeWho
          item={{ ...changing, id: changing.cartItemId }}
          onClose={() => setChanging(null)}
        />
      )}
    </div>
  );
}
