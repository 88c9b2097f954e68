// Which classes the family has in the cart or is enrolled in, read once for all cards of a page.
import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { type CartItem, listCart } from '../../contract/checkout/cart.ts';
import type { Participant } from '../../contract/people/family.ts';
import { type Enrolment, listEnrolments } from '../../contract/checkout/payments.ts';
import { query } from '../platform/api/query.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { participants } from './participants.ts';

interface Bookings {
  userId: string | undefined;
  cart: readonly CartItem[];
  enrolments: readonly Enrolment[];
  people: readonly Participant[];
}

/** Null when nobody is signed in. */
const BookingsContext = createContext<Bookings | null>(null);

export function BookingsProvider({ children }: { children: ReactNode }) {
  const { state, user } = useSession();
  const email = user?.email ?? '';
  const enabled = state === 'in';
  const { data: cart = none } = useQuery({
    ...query(listCart, { email }),
    enabled,
    staleTime: 30_000,
  });
  const { data: enrolled } = useQuery({
    ...query(listEnrolments, { email, limit: 100 }),
    enabled,
    staleTime: 30_000,
  });
  const { data: people = none } = useQuery({ ...participants, enabled });
  const enrolments = enrolled?.items ?? none;
  const userId = user?.id;
  const bookings = useMemo(
    () => (enabled ? { userId, cart, enrolments, people } : null),
    [enabled, userId, cart, enrolments, people],
  );
  return <BookingsContext value={bookings}>{children}</BookingsContext>;
}

const none: [] = [];

interface Booked {
  /** All who could be chosen have it. */
  by?: 'cart' | 'enrolment';
  /** Some of a family have it, in words: "Enrolled: Mia · In your cart: Leo". */
  some?: string;
}

/** Whether the signed-in person, and each of the children, has selected or paid for a class. */
export function useBooked(classId: string): Booked {
  const bookings = useContext(BookingsContext);
  if (!bookings) return {};
  const { userId, people } = bookings;
  // Without an id it is oneself.
  const who = (rows: readonly { itemId: string; participantId?: string | undefined }[]) =>
    new Set(
      rows.filter(({ itemId }) => itemId === classId).map((row) => row.participantId ?? userId),
    );
  const enrolled = who(bookings.enrolments);
  const inCart = who(bookings.cart);
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
