// Holds a seat for one cart item. Then shows the payment form, or why no seat was held.
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { CartItem } from '../../../../contract/cart.ts';
import { createIntent } from '../../../../contract/payments.ts';
import { query } from '../../../api/query.ts';
import { paths } from '../../../paths.ts';
import { Skeleton } from '../../../ui/States.tsx';
import { PaymentForm } from './PaymentForm.tsx';
import { Refused } from './Refused.tsx';

export function Checkout({
  item,
  user,
}: {
  item: CartItem;
  user: { name: string; email: string };
}) {
  const navigate = useNavigate();
  // By the item of the cart: the class may be in it for several children.
  // Asked again it answers the same secret, so it is read like a query; never behind the buyer's
  // back, though: it holds a seat.
  const intent = useQuery({
    ...query(createIntent, { price: item.price, itemId: item._id }),
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const again = () => void intent.refetch();
  if (intent.isFetching && !intent.data) return <Waiting />;
  if (intent.error) {
    return (
      <Refused
        error={intent.error}
        item={item}
        onAgain={again}
        onPrice={(price) =>
          void navigate(paths.dashboard.paymentOf(item._id), {
            replace: true,
            state: { item: { ...item, price } },
          })
        }
      />
    );
  }
  if (!intent.data) return <Waiting />;
  return (
    <PaymentForm
      key={intent.data.clientSecret}
      item={item}
      intent={intent.data}
      user={user}
      onHoldAgain={again}
    />
  );
}

function Waiting() {
  return (
    <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]" aria-busy="true">
      <output className="sr-only">Holding a seat for you</output>
      <Skeleton className="h-80" />
      <Skeleton className="h-64" />
    </div>
  );
}
