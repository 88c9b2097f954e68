// The button that puts a class into the cart. Signed out, it leads to the login page and back.
import { useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Class } from '../../contract/classes/classes.ts';
import { paths } from '../platform/paths.ts';
import { earlySelection, selection } from '../people/session/selection.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { Button, LinkButton } from '../platform/ui/Button.tsx';
import { sayIfOffline } from './addToCart.ts';
import { useBooked } from './Bookings.tsx';
import { useSelectClass } from './forWhom.ts';

interface SelectButtonProps {
  item: Pick<Class, '_id' | 'name' | 'img' | 'price' | 'seat'>;
  look: 'primary' | 'outline';
  className?: string;
}

export function SelectButton({ item, look, className = '' }: SelectButtonProps) {
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
