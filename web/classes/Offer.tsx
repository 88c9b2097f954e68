// What a class costs, how many seats are free, and the button that selects it, in one row.
import { type ReactNode, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Class } from '../../contract/classes/classes.ts';
import { shortMoney } from '../platform/ui/money.ts';
import { paths } from '../platform/paths.ts';
import { earlySelection, selection } from '../people/session/selection.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { Button, LinkButton } from '../platform/ui/Button.tsx';
import { sayIfOffline, useSelectClass } from './forWhom.ts';
import { useQuery } from '@tanstack/react-query';
import { getCart } from '../../contract/checkout/cart.ts';
import { listEnrolments } from '../../contract/checkout/payments.ts';
import { query } from '../platform/api/query.ts';
import { participants } from './participants.ts';

/** `onPage`: the main action of the class page. It is larger next to the page than below it. */
interface OfferProps {
  item: Class;
  onPage?: boolean;
  /** Instead of the button, where no seat is left. */
  full?: ReactNode;
}

export function Offer({ item, onPage = false, full }: OfferProps) {
  return (
    <div
      className={`figures flex flex-wrap items-end gap-x-3 gap-y-2 whitespace-nowrap ${onPage ? 'lg:gap-x-8' : 'lg:gap-x-4'}`}
    >
      <p>
        <span className="muted block text-sm">Price</span>
        <span className={`block text-lg/6 font-bold ${onPage ? 'lg:text-3xl' : ''}`}>
          {shortMoney(item.price)}
        </span>
      </p>
      <Seats seat={item.seat} className={onPage ? 'lg:text-3xl' : ''} />
      <SelectButton
        item={item}
        full={full}
        look={onPage ? 'primary' : 'outline'}
        className={`relative z-10 grow ${onPage ? 'sm:max-lg:ml-auto sm:max-lg:max-w-xs lg:mt-4 lg:h-13 lg:basis-full lg:text-base' : 'h-11 sm:h-10'}`}
      />
    </div>
  );
}

/** What is really free. Few left are said in words, not by colour alone. */
function Seats({ seat, className }: { seat: number; className: string }) {
  const few = seat > 0 && seat <= 3;
  return (
    <p className={seat <= 0 ? 'text-error' : few ? 'text-warning' : ''}>
      <span className={`block text-sm ${few || seat <= 0 ? '' : 'muted'}`}>Available Seats</span>
      <span className={`block text-lg/6 font-bold ${className}`}>
        {Math.max(0, seat)}
        {few && <span className="text-sm font-semibold"> left</span>}
      </span>
    </p>
  );
}

interface SelectButtonProps {
  item: Pick<Class, '_id' | 'name' | 'img' | 'price' | 'seat'>;
  look: 'primary' | 'outline';
  full: OfferProps['full'];
  className: string;
}

function SelectButton({ item, look, full, className }: SelectButtonProps) {
  const booked = useBooked(item._id);
  const { select, busy, takeFocus } = useSelect(item);
  const name = <span className="sr-only">: {item.name}</span>;
  if (booked.by === 'enrolment') {
    return (
      <LinkButton to={paths.dashboard.myEnrolledClasses} look="outline" className={className}>
        ✓ Enrolled{name}
      </LinkButton>
    );
  }
  if (booked.by === 'cart') {
    return (
      <LinkButton ref={takeFocus} to={paths.dashboard.myCart} look="outline" className={className}>
        ✓ In your cart{name}
      </LinkButton>
    );
  }
  return (
    <>
      {item.seat <= 0 && full ? (
        full
      ) : item.seat <= 0 ? (
        <Button disabled className={`text-base-content/75! ${className}`}>
          Sold out{name}
        </Button>
      ) : (
        <Button look={look} busy={busy} className={`brand ${className}`} onClick={select}>
          Select<span className="sr-only"> {item.name}</span>
        </Button>
      )}
      {booked.some && (
        <p className="text-success basis-full text-sm font-medium whitespace-normal">
          {booked.some}
        </p>
      )}
    </>
  );
}

function useSelect(item: Pick<Class, '_id' | 'name' | 'img' | 'price'>) {
  const { state, user } = useSession();
  const location = useLocation();
  const navigate = useNavigate();
  const adding = useSelectClass();
  const [early, setEarly] = useState(false);
  const pressed = useRef(false);
  const select = async () => {
    pressed.current = true;
    if (state === 'in') {
      await adding.select({
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
  /** The link that replaces the pressed button takes over its focus, unless the user has moved on. */
  const takeFocus = (link: HTMLElement | null) => {
    if (pressed.current && document.activeElement === document.body)
      link?.focus({ preventScroll: true });
  };
  return {
    select: () => void select(),
    busy: adding.busy || (early && state === 'loading'),
    takeFocus,
  };
}

const none: [] = [];

interface Booked {
  /** All who could be chosen have it. */
  by?: 'cart' | 'enrolment';
  some?: string;
}

/** Whether the signed-in person, and each of the children, has selected or paid for a class. */
function useBooked(classId: string): Booked {
  const { state, user } = useSession();
  const email = user?.email ?? '';
  const enabled = state === 'in';
  const kept = { enabled, staleTime: 30_000 };
  const { data: cart = none } = useQuery({ ...query(getCart, {}), ...kept });
  const { data: found } = useQuery({ ...query(listEnrolments, { email, limit: 100 }), ...kept });
  const { data: people = none } = useQuery({ ...participants, enabled });
  if (!enabled) return {};
  const who = (rows: readonly { classId: string; participantId: string }[]) =>
    new Set(rows.filter((row) => row.classId === classId).map((row) => row.participantId));
  const enrolled = who(found?.items ?? none);
  const inCart = who(cart);
  const left = people.some(({ _id }) => !enrolled.has(_id) && !inCart.has(_id));
  if (people.length > 1 && left) {
    const names = (ids: typeof inCart) =>
      people
        .filter(({ _id }) => ids.has(_id))
        .map(({ self, name }) => (self ? 'you' : name))
        .join(', ');
    const words = [
      enrolled.size > 0 && `Enrolled: ${names(enrolled)}`,
      inCart.size > 0 && `In your cart: ${names(inCart)}`,
    ];
    const some = words.filter(Boolean).join(' · ');
    return some ? { some: `✓ ${some}` } : {};
  }
  if (inCart.size > 0 && (people.length > 1 || enrolled.size === 0)) return { by: 'cart' };
  return enrolled.size > 0 ? { by: 'enrolment' } : {};
}
