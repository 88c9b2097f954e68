// The button that puts a class into the cart, and the links that replace it. Signed out, it leads
// to the login page and back.
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { listCart } from '../../../contract/cart.ts';
import type { Class } from '../../../contract/classes.ts';
import { listEnrolments } from '../../../contract/payments.ts';
import { query } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { earlySelection, selection } from '../../session/selection.ts';
import { useSession } from '../../session/SessionProvider.tsx';
import { Button, LinkButton } from '../../ui/Button.tsx';
import { sayIfOffline } from './addToCart.ts';
import { useSelectClass } from './forWhom.ts';
import { participants } from './participants.ts';

interface SelectButtonProps {
  item: Pick<Class, '_id' | 'name' | 'img' | 'price' | 'seat'>;
  look: 'primary' | 'outline';
  className?: string;
}

export function SelectButton({ item, look, className = '' }: SelectButtonProps) {
  const booked = useBookings(item._id);
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
      {item.seat <= 0 ? (
        <Button disabled className={`text-base-content/75! ${className}`}>
          Sold out{name}
        </Button>
      ) : (
        <Button look={look} busy={busy} className={`btn-primary ${className}`} onClick={select}>
          Select<span className="sr-only"> {item.name}</span>
        </Button>
      )}
      {booked.some && (
        <p className="text-success basis-full text-xs font-medium whitespace-normal">
          {booked.some}
        </p>
      )}
    </>
  );
}

interface Booked {
  /** All who could be chosen have it. */
  by?: 'cart' | 'enrolment';
  /** Some of a family have it, in words: "Enrolled: Mia · In your cart: Leo". */
  some?: string;
}

/** Whether the signed-in person, and each of the children, has selected or paid for a class. */
function useBookings(classId: string): Booked {
  const { state, user } = useSession();
  const email = user?.email ?? '';
  const enabled = state === 'in';
  const cart = useQuery({ ...query(listCart, { email }), enabled, staleTime: 30_000 });
  const enrolments = useQuery({
    ...query(listEnrolments, { email, limit: 100 }),
    enabled,
    staleTime: 30_000,
  });
  const family = useQuery({ ...participants, enabled });
  if (!enabled) return {};
  // Without an id it is oneself.
  const who = (rows: readonly { itemId: string; participantId?: string | undefined }[] = []) =>
    new Set(
      rows.filter(({ itemId }) => itemId === classId).map((row) => row.participantId ?? user?.id),
    );
  const enrolled = who(enrolments.data?.items);
  const inCart = who(cart.data);
  const people = family.data ?? [];
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

function useSelect(item: Pick<Class, '_id' | 'name' | 'img' | 'price'>) {
  const { state, user } = useSession();
  const location = useLocation();
  const navigate = useNavigate();
  const adding = useSelectClass();
  const [early, setEarly] = useState(false);
  const act = async () => {
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
    busy: adding.busy || (early && state === 'loading'),
    takeFocus,
  };
}
