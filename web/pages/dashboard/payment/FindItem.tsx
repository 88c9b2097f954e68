// Finds the cart item to pay for when the navigation did not carry one (bookmark or sidebar): the
// item in the URL, or the only payable one.
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useSearchParams } from 'react-router';
import { listCart } from '../../../../contract/cart.ts';
import { query } from '../../../api/query.ts';
import { totalOf } from '../../../features/checkout/total.ts';
import { paths } from '../../../paths.ts';
import { LinkButton } from '../../../ui/Button.tsx';
import { EmptyState, ErrorNote, Skeleton } from '../../../ui/States.tsx';
import { ChooseItem } from './ChooseItem.tsx';

export function FindItem({ email }: { email: string }) {
  const [params] = useSearchParams();
  const wanted = params.get('item');
  const cart = useQuery(query(listCart, { email }));
  if (cart.error && !cart.data)
    return <ErrorNote message={cart.error.message} onRetry={() => void cart.refetch()} />;
  if (!cart.data) return <Skeleton className="h-80" />;

  const { payable } = totalOf(cart.data);
  const found = wanted
    ? payable.find(({ _id }) => _id === wanted)
    : payable.length === 1
      ? payable[0]
      : undefined;
  // Into the history, where it stays while the cart changes behind it: a paid class leaves the cart
  // before this page is done.
  if (found)
    return <Navigate to={paths.dashboard.paymentOf(found._id)} state={{ item: found }} replace />;
  if (payable.length > 0 && !wanted) return <ChooseItem items={payable} />;
  const unpayable = cart.data.find(({ _id }) => _id === wanted);
  if (unpayable) {
    const isSoldOut = unpayable.state === 'sold-out';
    return (
      <EmptyState
        title={`${unpayable.name} is ${isSoldOut ? 'sold out' : 'not on sale'}`}
        action={<LinkButton to={paths.dashboard.myCart}>Go to my cart</LinkButton>}
      >
        {isSoldOut
          ? 'It stays in your cart, and can be paid for when a seat is free again.'
          : 'It stays in your cart, and can be paid for when it is on sale again.'}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={wanted ? 'This class is not in your cart any more' : 'Nothing to pay for'}
      action={<LinkButton to={paths.dashboard.myCart}>Go to my cart</LinkButton>}
    >
      {wanted ? (
        <>
          If you have just paid for it, you will find it in your{' '}
          <Link className="link" to={paths.dashboard.myEnrolledClasses}>
            enrolled classes
          </Link>
          . Otherwise choose it again from your cart.
        </>
      ) : (
        'Choose a class in your cart and press Pay.'
      )}
    </EmptyState>
  );
}
