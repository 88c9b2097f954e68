// /dashboard/payment: pays for one seat to twelve of the cart (?item=…, ?items=…). useOpening holds
// them, usePayment pays. The client does not guard this page.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import { agesInWords } from '../../../contract/people/ages.ts';
import { getCart } from '../../../contract/checkout/cart.ts';
import type { BasketLine } from '../../../contract/platform/lines.ts';
import { useSecondsLeft } from '../../platform/api/clock.ts';
import { query } from '../../platform/api/query.ts';
import { useLiveSeats } from '../../classes/live.ts';
import { paths } from '../../platform/paths.ts';
import { useSession } from '../../people/session/SessionProvider.tsx';
import { participants } from '../../classes/participants.ts';
import { Button, LinkButton } from '../../platform/ui/Button.tsx';
import { Card } from '../../platform/ui/Card.tsx';
import { PageHeading } from '../../platform/ui/PageHeading.tsx';
import { EmptyState, NotYet, ProgressBar, Skeleton } from '../../platform/ui/States.tsx';
import { ChangeWho } from '../../classes/ChangeWho.tsx';
import { carrying, totalOf } from '../Check.tsx';
import { Lines } from './Lines.tsx';
import { BankAsks, Outcome } from './Outcome.tsx';
import { Panel } from './Panel.tsx';
import { Problem } from './Problem.tsx';
import { type Go, useOpening, type Wanted } from './useOpening.ts';
import { usePayment, type User } from './usePayment.ts';

export function Pay() {
  useLiveSeats();
  const { state, user } = useSession();
  const location = useLocation();
  const [params] = useSearchParams();
  const { item, seen } = carried(location.state);
  const named = params.get('item') ?? item;
  const ids = params.get('items')?.split(',').filter(Boolean) ?? (named ? [named] : []);
  if (user && state === 'in' && ids.length > 0)
    return (
      <Seats
        key={ids.join()}
        ids={ids}
        coupon={params.get('coupon') ?? undefined}
        instead={params.get('instead') ?? undefined}
        seen={seen}
        user={user}
      />
    );
  return (
    <>
      <PageHeading title="Payment">Seats are held while you pay.</PageHeading>
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
      {user && state === 'in' && <Choose />}
    </>
  );
}

/** Without an item: the only one that can be paid for, else the way to the cart. */
function Choose() {
  const cart = useQuery(query(getCart, {}));
  if (!cart.data)
    return (
      <NotYet of={cart}>
        <Skeleton className="h-80" />
      </NotYet>
    );
  const [only, another] = totalOf(cart.data).payable;
  if (only && !another)
    return (
      <Navigate to={paths.dashboard.paymentOf(only.cartItemId)} state={carrying(only)} replace />
    );
  return (
    <EmptyState
      title={only ? 'Which classes do you want to pay for?' : 'Nothing to pay for'}
      action={<LinkButton to={paths.dashboard.myCart}>Go to my cart</LinkButton>}
    >
      Choose in your cart and press Pay.
    </EmptyState>
  );
}

/**
 * The item of the cart and its price (specification, section 2), or the total in cents that was seen.
 * The history keeps anything: look before using it.
 */
function carried(state: unknown): { item: string | null; seen: number | undefined } {
  const { item, seenCents } = (state ?? {}) as Record<string, unknown>;
  const { _id, price } = (item ?? {}) as Record<string, unknown>;
  const total = seenCents ?? (typeof price === 'number' ? Math.round(price * 100) : null);
  return {
    item: typeof _id === 'string' ? _id : null,
    seen: typeof total === 'number' ? total : undefined,
  };
}

type SeatsProps = Omit<Wanted, 'passed' | 'spends'> & { user: User };

function Seats({ ids, coupon, instead, seen, user }: SeatsProps) {
  const navigate = useNavigate();
  const [passed, setPassed] = useState<readonly string[]>([]);
  const [spends, onSpends] = useState(true);
  const [changing, setChanging] = useState<BasketLine | null>(null);
  const {
    data: opening,
    isFetching,
    refetch,
  } = useOpening({
    ids,
    coupon,
    instead,
    seen,
    spends,
    passed,
  });
  const again = () => void refetch();
  const { basket, stop, problem, spendable = 0 } = opening ?? {};
  const payment = usePayment(basket, user, again);
  const seconds = useSecondsLeft(basket?.expiresAt);
  const several = ids.length > 1;
  const go: Go = (to) =>
    void navigate(
      instead
        ? paths.dashboard.paymentInstead(ids[0] ?? '', instead)
        : paths.dashboard.paymentOfAll(ids, to.coupon),
      {
        replace: true,
        state: to.seen === undefined ? null : { seenCents: to.seen },
      },
    );
  const credit = { spends, spendable, onSpends };
  const till = { ids, coupon, ...credit, user, payment, seconds, go, again };
  if (payment.after && basket)
    return (
      <>
        <PageHeading title="Payment" />
        <Outcome after={payment.after} cents={basket.cardCents} onCheck={payment.check} />
      </>
    );
  return (
    <>
      <PageHeading title="Payment" />
      {basket ? (
        <>
          {payment.phase === 'unanswered' && seconds !== 0 && <BankAsks onGoOn={payment.goOn} />}
          {/* A change of the code holds the seats anew; the card that was typed stays. */}
          <div className={columns} inert={isFetching} aria-busy={isFetching}>
            <Lines {...till} basket={basket} onChange={setChanging} />
            <Panel {...till} basket={basket} />
          </div>
        </>
      ) : !opening || isFetching ? (
        <div className={columns} aria-busy="true">
          <output className="sr-only">Holding {several ? 'the seats' : 'a seat'} for you</output>
          <Skeleton className="h-28" />
          <Skeleton className="h-80" />
        </div>
      ) : stop ? (
        <WhoIsIt
          line={stop}
          onChange={setChanging}
          onPass={() => setPassed([...passed, stop.cartItemId])}
        />
      ) : (
        problem && (
          <Problem opening={{ ...opening, problem }} {...{ several, coupon, go }} onAgain={again} />
        )
      )}
      {changing && (
        <ChangeWho
          item={{ ...changing, id: changing.cartItemId }}
          onClose={() => setChanging(null)}
          onChanged={again}
        />
      )}
    </>
  );
}

const columns = 'grid items-start gap-4 lg:grid-cols-[24rem_minmax(0,1fr)]';

interface WhoIsItProps {
  line: BasketLine;
  onChange: (line: BasketLine) => void;
  onPass: () => void;
}

/** Asked before the card where the ages do not fit one's own, or nobody knows. */
function WhoIsIt({ line, onChange, onPass }: WhoIsItProps) {
  const own = useQuery(participants).data?.find(({ self }) => self);
  return (
    <Card title="Who is it for?">
      <p className="wrap-anywhere">
        {line.name} is for {agesInWords(line)}, and you have chosen yourself.
      </p>
      <Button size="large" onClick={() => onChange(line)}>
        Choose a child
      </Button>
      {own?.born && (
        <Button look="plain" onClick={onPass}>
          It is for me
        </Button>
      )}
    </Card>
  );
}
