// Asks whether a held seat in a class for children is for a child. A held seat stays with its person.
import { Link } from 'react-router';
import { AskIfChild, type Seat } from '../../../features/checkout/AskIfChild.tsx';
import { paths } from '../../../paths.ts';

export function AskIfChildHeld({ seat }: { seat: Seat }) {
  return (
    <AskIfChild seat={seat}>
      To change that, delete it in{' '}
      <Link className="link" to={paths.dashboard.myCart}>
        your cart
      </Link>{' '}
      and select it again.
    </AskIfChild>
  );
}
