// /dashboard/payment: finds what is to be paid, holds a seat for it, and gives way to the card
// form. Unguarded in the client; without an item it explains. Not for: the card itself
// (CardForm.tsx).
import { Elements } from '@stripe/react-stripe-js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import type { Answer } from '../../../../contract/call.ts';
import { CartItem, listCart } from '../../../../contract/cart.ts';
import { settings } from '../../../../contract/identity.ts';
import { createIntent, extendHold } from '../../../../contract/payments.ts';
import { limits } from '../../../../contract/limits.ts';
import { useSecondsLeft } from '../../../api/clock.ts';
import { query, useCall } from '../../../api/query.ts';
import type { ApiError } from '../../../api/send.ts';
import { loadCards } from '../../../features/checkout/cards.ts';
import { PageHeading } from '../../../ui/PageHeading.tsx';
import { paths } from '../../../paths.ts';
import { useSession } from '../../../session/SessionProvider.tsx';
import { Button, LinkButton } from '../../../ui/Button.tsx';
import { Countdown } from '../../../ui/Countdown.tsx';
import { Picture } from '../../../ui/Picture.tsx';
import { EmptyState, ErrorNote, ProgressBar, Skeleton } from '../../../ui/States.tsx';
import { money } from '../../../ui/money.ts';
import { CardForm } from './CardForm.tsx';
import { SandboxNote } from './SandboxNote.tsx';

export function Payment() {
  const { state, user } = useSession();
  const location = useLocation();
  const item = carried(location.state);
  return (
    <>
      <PageHeading title="Payment">
        One class, one payment. Your seat is held while you pay.
      </PageHeading>
      {state === 'loading' && <ProgressBar />}
      {state === 'out' && (
        <EmptyState
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
        (item ? <Checkout key={item._id} item={item} user={user} /> : <Find email={user.email} />)}
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
  return CartItem.safeParse(item).data ?? null;
}

/**
 * Opened by a bookmark or the sidebar: the item is the one in the URL, or the only one in the cart.
 */
function Find({ email }: { email: string }) {
  const [params] = useSearchParams();
  const wanted = params.get('item');
  const cart = useQuery(query(listCart, { email }));
  if (cart.error && !cart.data)
    return <ErrorNote message={cart.error.message} onRetry={() => void cart.refetch()} />;
  if (!cart.data) return <Skeleton className="h-80" />;

  const payable = cart.data.filter(({ state }) => state === 'ok' || state === 'price-changed');
  const found = wanted
    ? payable.find(({ _id }) => _id === wanted)
    : payable.length === 1
      ? payable[0]
      : undefined;
  // Into the history, where it stays while the cart changes behind it: a paid class leaves the cart
  // before this page is done.
  if (found)
    return <Navigate to={paths.dashboard.paymentOf(found._id)} state={{ item: found }} replace />;
  if (payable.length > 0 && !wanted) return <Choose items={payable} />;
  return (
    <EmptyState
      title={wanted ? 'This class is not in your cart any more' : 'Nothing to pay for'}
      action={<LinkButton to={paths.dashboard.myCart}>Go to my cart</LinkButton>}
    >
      {wanted ? (
        <>
          If you have just paid for it, it stands among your{' '}
          <Link className="link" to={paths.dashboard.myEnrolledClasses}>
            enrolled classes
          </Link>
          . Otherwise choose it again from your cart.
        </>
      ) : (
        'Choose a class in your cart and press Pay beside it.'
      )}
    </EmptyState>
  );
}

function Choose({ items }: { items: readonly CartItem[] }) {
  return (
    <section aria-labelledby="choose" className="card max-w-2xl border border-base-300 bg-base-100">
      <div className="card-body gap-3 p-5">
        <h2 id="choose" className="text-lg font-bold">
          Which class do you want to pay for?
        </h2>
        <ul className="divide-y divide-base-300">
          {items.map((item) => (
            <li key={item._id} className="flex items-center justify-between gap-3 py-3">
              <span className="min-w-0 font-semibold wrap-anywhere">{item.name}</span>
              <span className="flex items-center gap-4 tabular-nums">
                {money(item.price)}
                <LinkButton
                  size="small"
                  to={paths.dashboard.paymentOf(item._id)}
                  state={{ item }}
                  aria-label={`Pay: ${item.name}`}
                >
                  Pay
                </LinkButton>
              </span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function Checkout({ item, user }: { item: CartItem; user: { name: string; email: string } }) {
  const navigate = useNavigate();
  // Asked again it answers the same secret, so it is read like a query; never behind the buyer's
  // back, though: it holds a seat.
  const intent = useQuery({
    ...query(createIntent, { price: item.price, itemId: item.itemId }),
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

type Intent = Answer<typeof createIntent>;

interface PaymentFormProps {
  item: CartItem;
  intent: Intent;
  user: { name: string; email: string };
  onHoldAgain: () => void;
}

function PaymentForm({ item, intent, user, onHoldAgain }: PaymentFormProps) {
  const { data: site } = useQuery({ ...query(settings, {}), staleTime: Infinity });
  const cards = useQuery({
    queryKey: ['card form'],
    queryFn: () =>
      site ? loadCards(site.cards) : Promise.reject(new Error('The card form is not ready.')),
    enabled: site !== undefined,
    retry: false,
    staleTime: Infinity,
    // It is the provider's object, not data of ours.
    structuralSharing: false,
  });
  const seconds = useSecondsLeft(intent.expiresAt);
  const [closed, setClosed] = useState(false);
  const onClosed = () => setClosed(true);

  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <section
        aria-labelledby="card"
        className="card border border-base-300 bg-base-100 max-lg:order-last"
      >
        <div className="card-body gap-5 p-5 sm:p-7">
          <h2 id="card" className="flex items-center gap-2 text-xl font-bold">
            <Lock />
            Pay by card
          </h2>
          {site?.cards.sandbox && <SandboxNote />}
          {cards.error ? (
            <ErrorNote message={cards.error.message} onRetry={() => void cards.refetch()} />
          ) : (
            <Elements stripe={cards.data ?? null}>
              <CardForm
                intent={intent}
                user={user}
                expired={seconds === 0}
                closed={closed}
                onClosed={onClosed}
                onHoldAgain={onHoldAgain}
              />
            </Elements>
          )}
        </div>
      </section>
      <Summary item={item} intent={intent} seconds={closed ? null : seconds} onClosed={onClosed} />
    </div>
  );
}

interface SummaryProps {
  item: CartItem;
  intent: Intent;
  /** Null: no seat is held any more, or how long is not known yet. */
  seconds: number | null;
  onClosed: () => void;
}

function Summary({ item, intent, seconds, onClosed }: SummaryProps) {
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
        <h2 id="summary" className="text-lg leading-snug font-bold wrap-anywhere">
          {intent.name}
        </h2>
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
            Keep my seat
          </Button>
        )}
        <output className="muted text-sm empty:hidden">
          {extend.isSuccess && 'Your seat is held longer.'}
          {extend.error?.code !== 'CLASS_CLOSED' && extend.error?.message}
        </output>
      </div>
    </section>
  );
}

function Lock() {
  return (
    <svg
      viewBox="0 0 24 24"
      className="text-primary size-5"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.25"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <rect x="5" y="11" width="14" height="9" rx="2" />
      <path d="M8 11V8a4 4 0 0 1 8 0v3" />
    </svg>
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

interface RefusedProps {
  error: ApiError;
  item: CartItem;
  onAgain: () => void;
  onPrice: (price: number) => void;
}

const toCart = (
  <LinkButton look="outline" to={paths.dashboard.myCart}>
    Go to my cart
  </LinkButton>
);

/** Each reason why no payment can begin, in plain words, and the way on. */
function Refused({ error, item, onAgain, onPrice }: RefusedProps) {
  const { title, text, action } = reason();
  return (
    <div role="alert">
      <EmptyState
        title={title}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            {action}
            {toCart}
          </div>
        }
      >
        {text}
      </EmptyState>
    </div>
  );

  function reason(): { title: string; text: ReactNode; action?: ReactNode } {
    const classes = <LinkButton to={paths.classes}>See other classes</LinkButton>;
    const mine = (
      <LinkButton to={paths.dashboard.myEnrolledClasses}>My enrolled classes</LinkButton>
    );
    const history = <LinkButton to={paths.dashboard.paymentHistory}>Payment history</LinkButton>;
    const again = <Button onClick={onAgain}>Try again</Button>;
    const { price } = error;
    switch (error.code) {
      case 'PRICE_CHANGED':
        return {
          title: 'The price has changed',
          text: `${item.name} cost ${money(item.price)} when you saw it${price === undefined ? '.' : `; it is ${money(price)} now.`} Nothing has been charged.`,
          action: price !== undefined && (
            <Button onClick={() => onPrice(price)}>Continue with {money(price)}</Button>
          ),
        };
      case 'SOLD_OUT':
        return {
          title: 'No seat is left',
          text: `The last seat in ${item.name} has just been taken. Nothing has been charged. A seat may become free again if somebody does not pay.`,
          action: classes,
        };
      case 'ALREADY_ENROLLED':
      case 'ALREADY_PAID':
        return {
          title: 'This class is paid for',
          text: `You have a seat in ${item.name} already. You have not been charged again.`,
          action: mine,
        };
      case 'HOLD_EXPIRED':
        return {
          title: 'The time to pay ran out',
          text: 'The seat was held for you, but only for a while. Nothing has been charged; you can hold a seat again.',
          action: <Button onClick={onAgain}>Hold a seat again</Button>,
        };
      case 'CLASS_CLOSED':
        return { title: 'This class is no longer offered', text: error.message, action: classes };
      case 'CLASS_IN_REVIEW':
        return {
          title: 'Not on sale just now',
          text: `${error.message} Nothing has been charged.`,
          action: again,
        };
      case 'PAYMENT_RETURNED':
        return { title: 'Your money comes back', text: error.message, action: history };
      case 'TOO_MANY_HOLDS':
        return {
          title: 'Three payments are open already',
          text: `${error.message} Your cart marks them. Nothing has been charged here.`,
        };
      case 'PROVIDER_DOWN':
        return {
          title: 'The card service does not answer',
          text: 'Your seat is kept and nothing has been charged. Please try again in a moment.',
          action: again,
        };
      case 'NOT_FOUND':
      case 'NOT_IN_CART':
        return {
          title: 'This class cannot be paid for',
          text: `${item.name} is not in your cart, or is no longer offered. Nothing has been charged.`,
          action: classes,
        };
      default:
        return { title: 'The payment could not begin', text: error.message, action: again };
    }
  }
}
