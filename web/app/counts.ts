// The numbers at the entries of the dashboard's menu, by the URL of the entry.
import { useQuery } from '@tanstack/react-query';
import { getCart } from '../../contract/checkout/cart.ts';
import { listParticipants } from '../../contract/people/family.ts';
import { adminFigures, studentFigures } from '../../contract/academy/figures.ts';
import { query } from '../platform/api/query.ts';
import { paths } from '../platform/paths.ts';
import { useSession } from '../people/session/SessionProvider.tsx';

/** `says` follows the number for screen readers: "in your cart". */
export type Counts = Partial<Record<string, { count: number | undefined; says: string }>>;

export function useCounts(): Counts {
  const { state, role } = useSession();
  const cart = useQuery({
    ...query(getCart, {}),
    enabled: state === 'in' && role === 'student',
    // The page may have read it a moment ago.
    staleTime: 10_000,
  });
  const figures = useQuery({
    ...query(adminFigures, {}),
    enabled: role === 'admin',
    staleTime: 10_000,
  }).data;
  return {
    [paths.dashboard.myCart]: { count: cart.data?.length, says: 'in your cart' },
    [paths.dashboard.manageClasses]: {
      // Classes, and changes of classes on sale, of which the first 20 are read.
      count: figures && Math.max(figures.classes.pending, figures.waiting.length),
      says: 'to review',
    },
    [paths.dashboard.payments]: { count: figures?.failedRefunds, says: 'failed refunds' },
    [paths.dashboard.attention]: { count: figures?.attention, says: 'open' },
  };
}

/** An instructor with a cart, a seat or a child has the menu of a student, too. */
export function useIsFamilyToo(): boolean {
  const { role } = useSession();
  const enabled = role === 'instructor';
  const own = useQuery({ ...query(studentFigures, {}), enabled, staleTime: 60_000 }).data;
  const people = useQuery({ ...query(listParticipants, {}), enabled, staleTime: 60_000 }).data;
  return enabled && ((own?.cart ?? 0) > 0 || (own?.enrolled ?? 0) > 0 || (people?.length ?? 0) > 1);
}
