// Why no seat was held, in plain words for each error code, and what to do next.
import type { ReactNode } from 'react';
import type { CartItem } from '../../../../contract/cart.ts';
import type { ApiError } from '../../../api/send.ts';
import { paths } from '../../../paths.ts';
import { Button, LinkButton } from '../../../ui/Button.tsx';
import { money } from '../../../ui/money.ts';
import { EmptyState } from '../../../ui/States.tsx';

interface RefusedProps {
  error: ApiError;
  item: CartItem;
  onAgain: () => void;
  onPrice: (price: number) => void;
}

interface Words {
  title: string;
  text: ReactNode;
  action?: ReactNode;
}

/** What is wrong, what to do about it, and the way back to the cart. */
export function NotHeld({ title, text, action }: Words) {
  return (
    <div role="alert">
      <EmptyState
        title={title}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            {action}
            <LinkButton look="outline" to={paths.dashboard.myCart}>
              Go to my cart
            </LinkButton>
          </div>
        }
      >
        {text}
      </EmptyState>
    </div>
  );
}

export function Refused({ error, item, onAgain, onPrice }: RefusedProps) {
  return <NotHeld {...reason()} />;

  function reason(): Words {
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
          text: `The last seat in ${item.name} has just been taken. Nothing has been charged. A seat may become free again if another buyer does not pay.`,
          action: classes,
        };
      case 'ALREADY_ENROLLED':
      case 'ALREADY_PAID':
        return {
          title: 'This class is paid for',
          text: `${item.participant ? `${item.participant} has` : 'You have'} a seat in ${item.name} already. You have not been charged again.`,
          action: mine,
        };
      case 'HOLD_EXPIRED':
        return {
          title: 'Time is up',
          text: 'Nothing was charged. You can hold a seat again.',
          action: <Button onClick={onAgain}>Hold a seat again</Button>,
        };
      case 'CLASS_CLOSED':
        return { title: 'This class is no longer offered', text: error.message, action: classes };
      case 'CLASS_OVER':
        return {
          title: 'This class has ended',
          text: `${item.name} has had its last meeting. Nothing has been charged.`,
          action: classes,
        };
      case 'WRONG_AGE':
        return {
          title: 'This class is for other ages',
          text: `${error.message} Nothing has been charged.`,
          action: classes,
        };
      case 'BEING_PAID':
        return {
          title: 'Another guardian is paying',
          text: 'Somebody who looks after the same child is paying for this seat. Nothing has been charged here.',
          action: again,
        };
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
