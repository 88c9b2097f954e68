// /dashboard/payment: pays for one item of the cart, or for several (?items=…, Basket.tsx). Each step
// of one item has a file of its own:
// FindItem and ChooseItem (which item), Checkout (holds a seat), PaymentForm and CardForm (pays),
// Refused (no seat was held), PaymentOutcome (what became of the payment).
// The client does not guard this page: without an item it explains what to do.
import { useLocation, useSearchParams } from 'react-router';
import type { CartItem } from '../../../../contract/cart.ts';
import { useLiveSeats } from '../../../api/live.ts';
import { paths } from '../../../paths.ts';
import { useSession } from '../../../session/SessionProvider.tsx';
import { LinkButton } from '../../../ui/Button.tsx';
import { PageHeading } from '../../../ui/PageHeading.tsx';
import { EmptyState, ProgressBar } from '../../../ui/States.tsx';
import { partOnDemand } from '../../../ui/onDemand.tsx';
import { Checkout } from './Checkout.tsx';
import { FindItem } from './FindItem.tsx';
import { HoldingSeats } from './HoldingSeats.tsx';
import { WhoGoes } from './WhoGoes.tsx';

const Basket = partOnDemand(() => import('./Basket.tsx').then((m) => m.Basket), <HoldingSeats />);

export function Payment() {
  useLiveSeats();
  const { state, user } = useSession();
  const location = useLocation();
  const [params] = useSearchParams();
  const ids = (params.get('items') ?? '').split(',').filter(Boolean);
  const item = ids.length > 0 ? null : carried(location.state);
  return (
    <>
      <PageHeading title="Payment">
        {ids.length > 1
          ? `You are paying for ${ids.length} seats. We hold them while you pay.`
          : ids.length === 1 || item
            ? 'You are paying for one seat. We hold it while you pay.'
            : 'Seats are held while you pay.'}
      </PageHeading>
      {state === 'loading' && <ProgressBar heading="h2" />}
      {state === 'out' && (
        <EmptyState
          drawing="empty-cart"
          title="Log in to pay"
          action={
            <LinkButton to={paths.login} state={{ from: location }}>
              Login
            </LinkButton>
          }
        >
          What you have selected waits in your cart.
        </EmptyState>
      )}
      {user &&
        state === 'in' &&
        (ids.length > 0 ? (
          <WhoGoes key={ids.join()} ids={ids}>
            <Basket ids={ids} coupon={params.get('coupon') ?? undefined} user={user} />
          </WhoGoes>
        ) : item ? (
          <WhoGoes key={item._id} ids={[item._id]}>
            <Checkout item={item} user={user} />
          </WhoGoes>
        ) : (
          <FindItem email={user.email} />
        ))}
    </>
  );
}

/**
 * The history keeps whatever was put into it, also that of an older version of the site: look
 * before using it.
 */
function carried(state: unknown): CartItem | null {
  const item: unknown =
    typeof state === 'object' && state !== null && 'item' in state ? state.item : null;
  return isCartItem(item) ? item : null;
}

/** By hand: the contract's schema would bring 12 kB of zod to this page. */
const required: Partial<Record<keyof CartItem, 'string' | 'number'>> = {
  _id: 'string',
  itemId: 'string',
  name: 'string',
  img: 'string',
  price: 'number',
  seenPrice: 'number',
  seat: 'number',
  state: 'string',
};

const isCartItem = (item: unknown): item is CartItem =>
  typeof item === 'object' &&
  item !== null &&
  Object.entries(required).every(([field, type]) => typeof Reflect.get(item, field) === type);
