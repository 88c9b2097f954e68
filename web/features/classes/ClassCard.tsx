// A class as visitors see it in a grid, and the button that selects it. Signed out, the button
// leads to the login page and back.
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { listCart } from '../../../contract/cart.ts';
import type { Class } from '../../../contract/classes.ts';
import { listEnrolments } from '../../../contract/payments.ts';
import { query } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { earlySelection, selection } from '../../session/selection.ts';
import { useSession } from '../../session/SessionProvider.tsx';
import { Button, LinkButton } from '../../ui/Button.tsx';
import { shortMoney } from '../../ui/money.ts';
import { Picture } from '../../ui/Picture.tsx';
import { Skeleton } from '../../ui/States.tsx';
import { sayIfOffline, useAddToCart } from './addToCart.ts';

/** `eager` for the first ones of a page, whose pictures should not wait. */
export function ClassCard({ item, eager = false }: { item: Class; eager?: boolean }) {
  return (
    <article className="group bg-base-100 border-base-300/70 rounded-box @container relative flex h-full flex-col overflow-hidden border shadow-sm transition-shadow duration-300 focus-within:shadow-lg hover:shadow-lg">
      <div className="relative aspect-[4/3] overflow-hidden">
        <Picture
          src={item.img}
          alt=""
          width={640}
          height={480}
          loading={eager ? 'eager' : 'lazy'}
          className="size-full object-cover transition-transform duration-500 group-hover:scale-[1.03]"
        />
        <span className="bg-base-100 absolute top-3 left-3 rounded-full px-3 py-1 text-xs font-bold shadow-sm">
          {item.sport}
        </span>
      </div>
      <div className="flex flex-1 flex-col gap-3 p-4 @3xs:p-5">
        <h3 className="text-lg leading-snug">
          <Link
            to={paths.class(item._id)}
            className="after:absolute after:inset-0 after:content-['']"
          >
            {item.name}
          </Link>
        </h3>
        <p className="muted text-sm">
          Instructor: <span className="text-base-content font-medium">{item.instructor}</span>
          {item.ages && (
            <span className="block">
              {/^all /i.test(item.ages) ? item.ages : `Ages ${item.ages}`}
            </span>
          )}
          {item.schedule && <span className="block">{item.schedule}</span>}
        </p>
        <div className="figures mt-auto flex flex-wrap items-end justify-between gap-x-4 gap-y-1 pt-2">
          <p className="text-sm">
            <span className="muted block text-xs">Price</span>
            <span className="text-2xl font-bold">{shortMoney(item.price)}</span>
          </p>
          <Seats seat={item.seat} />
        </div>
        <SelectButton item={item} className="relative z-10 w-full" />
      </div>
    </article>
  );
}

/** What is really free; few left are said so, none too. */
export function Seats({ seat }: { seat: number }) {
  const tone = seat <= 0 ? 'text-error' : seat <= 3 ? 'text-warning' : '';
  return (
    <p className={`figures text-sm ${tone}`}>
      <span className={`block text-xs ${tone ? '' : 'muted'}`}>Available Seats</span>
      <span className="text-lg font-bold">{Math.max(0, seat)}</span>
      {seat > 0 && seat <= 3 && <span className="font-semibold"> left</span>}
    </p>
  );
}

export function ClassCardSkeleton() {
  return (
    <div className="bg-base-100 border-base-300/70 rounded-box flex flex-col overflow-hidden border">
      <Skeleton className="aspect-[4/3] rounded-none" />
      <div className="flex flex-col gap-4 p-5">
        <Skeleton className="h-6 w-2/3" />
        <Skeleton className="h-12 w-1/2" />
        <Skeleton className="h-10" />
        <Skeleton className="h-11" />
      </div>
    </div>
  );
}

export function SelectButton({
  item,
  className = '',
}: {
  item: Pick<Class, '_id' | 'name' | 'img' | 'price' | 'seat'>;
  className?: string;
}) {
  const { inCart, enrolled } = useBookings();
  const { select, busy, takeFocus } = useSelect(item);
  const name = <span className="sr-only">: {item.name}</span>;
  if (enrolled.has(item._id)) {
    return (
      <LinkButton to={paths.dashboard.myEnrolledClasses} look="outline" className={className}>
        ✓ Enrolled{name}
      </LinkButton>
    );
  }
  if (inCart.has(item._id)) {
    return (
      <LinkButton ref={takeFocus} to={paths.dashboard.myCart} look="outline" className={className}>
        ✓ In your cart{name}
      </LinkButton>
    );
  }
  if (item.seat <= 0) {
    return (
      <Button disabled className={className}>
        Sold out{name}
      </Button>
    );
  }
  return (
    <Button busy={busy} className={className} onClick={select}>
      Select<span className="sr-only"> {item.name}</span>
    </Button>
  );
}

const noBookings: ReadonlySet<string> = new Set();

/** What the signed-in person has selected or paid for already. */
function useBookings() {
  const { state, user } = useSession();
  const email = user?.email ?? '';
  const enabled = state === 'in';
  const cart = useQuery({ ...query(listCart, { email }), enabled, staleTime: 30_000 });
  const enrolments = useQuery({
    ...query(listEnrolments, { email, limit: 100 }),
    enabled,
    staleTime: 30_000,
  });
  return {
    inCart: enabled && cart.data ? new Set(cart.data.map(({ itemId }) => itemId)) : noBookings,
    enrolled:
      enabled && enrolments.data
        ? new Set(enrolments.data.items.map(({ itemId }) => itemId))
        : noBookings,
  };
}

function useSelect(item: Pick<Class, '_id' | 'name' | 'img' | 'price'>) {
  const { state, user } = useSession();
  const location = useLocation();
  const navigate = useNavigate();
  const add = useAddToCart();
  const [early, setEarly] = useState(false);
  const act = async () => {
    if (state === 'in') {
      await add.run({
        itemId: item._id,
        name: item.name,
        img: item.img,
        price: item.price,
        email: user?.email,
      });
      return;
    }
    if (state === 'out') {
      selection.keep(item._id);
      await navigate(paths.login, { state: { from: location } });
      return;
    }
    // Clicked before it was known who is signed in: the layout acts as soon as it is.
    earlySelection.keep(item._id, location.key);
    setEarly(true);
    sayIfOffline();
  };
  // A second click can come before the button is drawn as busy.
  const acting = useRef(false);
  const pressed = useRef(false);
  const select = async () => {
    if (acting.current) return;
    acting.current = true;
    pressed.current = true;
    await act().finally(() => (acting.current = false));
  };
  /**
   * The link that replaces the pressed button takes over its focus, unless the user has moved on.
   */
  const takeFocus = (link: HTMLElement | null) => {
    if (pressed.current && document.activeElement === document.body)
      link?.focus({ preventScroll: true });
  };
  return {
    select: () => void select(),
    busy: add.busy || (early && state === 'loading'),
    takeFocus,
  };
}
