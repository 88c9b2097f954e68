// /dashboard/mycart and /dashboard/myselectedclasses: one page, the classes that a student has selected.
// The client does not guard the first: signed out it is empty. A cart has 50 items at most and is
// loaded as a whole, so the client searches and sorts it.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { type CartItem, getCart, removeFromCart } from '../../contract/checkout/cart.ts';
import { quoteBasket } from '../../contract/checkout/checkout.ts';
import { classInReview } from '../../contract/platform/closed.ts';
import { messages } from '../../contract/platform/messages.ts';
import { useLiveSeats } from '../classes/live.ts';
import { query, readAgain } from '../platform/api/query.ts';
import { send } from '../platform/api/send.ts';
import { Booked, bookedOf } from './Booked.tsx';
import { CartBar } from './CartBar.tsx';
import { carrying, Check, type Choice, useChoice } from './Check.tsx';
import { ClashNote } from '../classes/ClashNote.tsx';
import { matches, useListing } from '../platform/lists/listing.ts';
import { paths } from '../platform/paths.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { Amount } from '../platform/ui/Amount.tsx';
import { Button, LinkButton } from '../platform/ui/Button.tsx';
import { Thumb } from '../platform/ui/Picture.tsx';
import { nameFor } from '../platform/ui/ForWhom.tsx';
import { WhenWhere } from '../platform/ui/WhenWhere.tsx';
import { EmptyState } from '../platform/ui/States.tsx';
import type { Column } from '../platform/ui/Table.tsx';
import { confirmDelete, failure, success } from '../platform/ui/alert.ts';
import { partInWords, price } from '../platform/ui/money.ts';
import { ListPage } from '../platform/lists/ListPage.tsx';
import { ChangeWho, ItemFor } from '../classes/ChangeWho.tsx';
import { useWeek } from './week.ts';
import { WeekLine } from './WeekLine.tsx';

const sorts = ['added', 'name', '-name', 'price', '-price'] as const;
type Sort = (typeof sorts)[number];

const orders: Record<Sort, (a: CartItem, b: CartItem) => number> = {
  added: () => 0,
  name: (a, b) => a.name.localeCompare(b.name),
  '-name': (a, b) => b.name.localeCompare(a.name),
  price: (a, b) => a.cents - b.cents,
  '-price': (a, b) => b.cents - a.cents,
};

export function MyCart() {
  useLiveSeats();
  const { state } = useSession();
  const justPaid = bookedOf(useLocation().state);
  const listing = useListing(sorts);
  const cart = useQuery({ ...query(getCart, {}), enabled: state === 'in' });
  const items = state === 'out' ? [] : cart.data;
  const rows = items
    ?.filter((item) => matches(listing.search, item.name, item.participant ?? ''))
    .toSorted(orders[listing.sort ?? 'added']);
  const remove = useRemoval();
  const choice = useChoice(items ?? []);
  const quote = useQuery({
    ...query(quoteBasket, { items: choice.chosen.map(({ cartItemId }) => cartItemId).join(',') }),
    enabled: choice.chosen.length > 0,
    retry: false,
  });
  const undated = new Set(quote.data?.lines.map((line) => (line.undated ? line.cartItemId : '')));
  const [changing, setChanging] = useState<CartItem | null>(null);

  return (
    <>
      {justPaid && <Booked paymentId={justPaid} />}
      <ListPage
        title="My Cart"
        total={{ label: 'Selected Classes', count: items?.length }}
        lead={choice.payable.length > 0 && 'A seat is held as soon as you press Pay.'}
        caption="Selected classes"
        noun="classes"
        columns={columns({ remove, change: setChanging }, choice, items ?? [], undated)}
        rows={rows}
        rowKey={({ cartItemId }) => cartItemId}
        listing={listing}
        query={cart}
        empty={
          <EmptyState
            title={messages.emptyCart}
            drawing="empty-cart"
            action={<NextStep signedOut={state === 'out'} />}
          >
            {state === 'out'
              ? 'Log in to see your cart, or look around first: classes you select wait here until you pay for them.'
              : 'Your cart is empty. Classes you select wait here until you pay for them.'}
          </EmptyState>
        }
        beside={
          choice.payable.length > 0 && (
            <CartBar chosen={choice.chosen} payable={choice.payable.length} />
          )
        }
      >
        {state === 'in' && !justPaid && <ThisWeek />}
      </ListPage>
      {changing && (
        <ChangeWho
          item={{ ...changing, id: changing.cartItemId }}
          onClose={() => setChanging(null)}
        />
      )}
    </>
  );
}

function ThisWeek() {
  const { data, enrolled } = useWeek();
  if (!data || enrolled.length === 0) return null;
  return (
    <section aria-labelledby="week" className="mt-10 max-w-2xl">
      <h2 id="week" className="heading mb-3">
        This week
      </h2>
      <WeekLine week={data} />
    </section>
  );
}

function NextStep({ signedOut }: { signedOut: boolean }) {
  const location = useLocation();
  if (!signedOut) return <LinkButton to={paths.classes}>See all classes</LinkButton>;
  return (
    <div className="flex flex-wrap justify-center gap-3">
      <LinkButton to={paths.login} state={{ from: location }}>
        Login
      </LinkButton>
      <LinkButton look="outline" to={paths.classes}>
        See all classes
      </LinkButton>
    </div>
  );
}

const columns = (
  { remove, change }: Record<'remove' | 'change', (item: CartItem) => void>,
  choice: Choice,
  items: readonly CartItem[],
  undated: ReadonlySet<string>,
): readonly Column<CartItem>[] => [
  { title: '#', part: 'serial', cell: (_, serial) => serial },
  {
    title: 'Class Name',
    part: 'lead',
    sort: ['name', '-name'],
    cell: (item) => (
      <div className="flex flex-wrap items-start gap-3">
        {choice.payable.length > 1 && <Check item={item} choice={choice} />}
        <Thumb src={item.img} className="size-16 max-[22rem]:hidden" />
        <div className="min-w-0 flex-1 basis-40">
          {item.name}
          <ItemFor item={item} among={items} onChange={change} />
          <WhenWhere schedule={item.schedule} place="" undated={undated.has(item.cartItemId)} />
          {item.part && <p className="meta figures">{partInWords(item.part)}</p>}
          <CartItemNote item={item} />
        </div>
      </div>
    ),
  },
  {
    title: 'Price',
    numeric: true,
    bare: true,
    sort: ['price', '-price'],
    cell: (item) => <Amount cents={item.cents} className="text-lg font-bold" />,
  },
  {
    title: 'Actions',
    part: 'actions',
    bare: true,
    cell: (item) => (
      <>
        <Button
          size="small"
          look="plain"
          of={nameFor(item.name, item.participant)}
          onClick={() => remove(item)}
        >
          Delete
        </Button>
        {item.state === 'sold-out' || item.state === 'closed' ? (
          <Button size="small" look="outline" disabled of={nameFor(item.name, item.participant)}>
            Pay
          </Button>
        ) : (
          <LinkButton
            size="small"
            look="outline"
            to={paths.dashboard.paymentOf(item.cartItemId)}
            state={carrying(item)}
            of={nameFor(item.name, item.participant)}
          >
            Pay
          </LinkButton>
        )}
      </>
    ),
  },
];

/**
 * What became of the class since it was selected, whether a payment for it has begun, and which
 * other class meets at the same time.
 */
function CartItemNote({ item }: { item: CartItem }) {
  const words = {
    ok: null,
    'price-changed': `The price has changed: it was ${price(item.seenCents)}.`,
    'sold-out': 'No seat is left. It may become free again.',
    closed: item.inReview ? classInReview : 'This class is no longer offered.',
  }[item.state];
  return (
    <>
      {words && <p className="text-warning text-sm font-medium">{words}</p>}
      {item.paying && <p className="text-info text-sm font-medium">A seat is held for you.</p>}
      <ClashNote clashes={item.clashes} />
    </>
  );
}

/** The row goes at once and comes back when the server refuses. */
function useRemoval() {
  const client = useQueryClient();
  const { queryKey } = query(getCart, {});
  const remove = async (item: CartItem) => {
    if (!(await confirmDelete())) return;
    await client.cancelQueries({ queryKey });
    const before = client.getQueryData(queryKey);
    client.setQueryData(
      queryKey,
      before?.filter((other) => other.cartItemId !== item.cartItemId),
    );
    try {
      await send(removeFromCart, { id: item.cartItemId });
      void success(messages.deletedTitle, messages.deletedText);
    } catch (error) {
      client.setQueryData(queryKey, before);
      void failure('It is still in your cart', error instanceof Error ? error.message : undefined);
    }
    await readAgain(client);
  };
  return (item: CartItem) => void remove(item);
}
