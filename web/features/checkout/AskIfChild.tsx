// Says of a seat of one's own in a class for children for which ages the class is, and asks whether it
// is for a child. Children: what can be done about it.
import type { ReactNode } from 'react';
import { agesInWords, isForChildren } from '../../../contract/ages.ts';
import type { CartItem } from '../../../contract/cart.ts';

export type Seat = Pick<CartItem, 'participant' | 'minAge' | 'maxAge'>;

export const mayBeForChild = ({ participant, maxAge }: Seat) =>
  participant === undefined && isForChildren(maxAge);

export function AskIfChild({ seat, children }: { seat: Seat; children: ReactNode }) {
  if (!mayBeForChild(seat)) return null;
  const { minAge = null, maxAge = null } = seat;
  return (
    <div className="mt-1 text-sm font-normal">
      <p className="text-warning font-medium">
        This class is for {agesInWords({ minAge, maxAge })}. Is it for a child?
      </p>
      {children}
    </div>
  );
}
