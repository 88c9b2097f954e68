// Why a basket could not be opened, in plain words for each error code, and what to do next.
import type { ApiError } from '../../../api/send.ts';
import { paths } from '../../../paths.ts';
import { Button, LinkButton } from '../../../ui/Button.tsx';
import { money } from '../../../ui/money.ts';
import { NotHeld } from './Refused.tsx';

interface BasketProblemProps {
  error: ApiError;
  /** The total that was sent. */
  seen: number;
  onAgain: () => void;
  onTotal: (price: number) => void;
  onWithoutCoupon: () => void;
}

export const BasketProblem = (props: BasketProblemProps) => <NotHeld {...problemOf(props)} />;

function problemOf({ error, seen, onAgain, onTotal, onWithoutCoupon }: BasketProblemProps) {
  const again = <Button onClick={onAgain}>Try again</Button>;
  const { price } = error;
  switch (error.code) {
    case 'TOTAL_CHANGED':
      return {
        title: 'The total has changed',
        text: `It was ${money(seen)} when you saw it${price === undefined ? '.' : `; it is ${money(price)} now.`} Nothing has been charged.`,
        action: price !== undefined && (
          <Button onClick={() => onTotal(price)}>Continue with {money(price)}</Button>
        ),
      };
    case 'COUPON_UNKNOWN':
    case 'COUPON_USED_UP':
      return {
        title: 'The code does not count',
        text: `${error.message} Nothing has been charged.`,
        action: <Button onClick={onWithoutCoupon}>Continue without the code</Button>,
      };
    case 'ALREADY_PAID':
      return {
        title: 'This is paid for',
        text: 'A payment with some of these classes has already gone through. You have not been charged again.',
        action: <LinkButton to={paths.dashboard.myEnrolledClasses}>My enrolled classes</LinkButton>,
      };
    case 'PAYMENT_RETURNED':
      return {
        title: 'Your money comes back',
        text: error.message,
        action: <LinkButton to={paths.dashboard.paymentHistory}>Payment history</LinkButton>,
      };
    case 'HOLD_EXPIRED':
      return {
        title: 'Time is up',
        text: 'Nothing was charged. You can hold the seats again.',
        action: <Button onClick={onAgain}>Hold the seats again</Button>,
      };
    case 'TOO_MANY_HOLDS':
      return {
        title: 'Too many seats are held for you',
        text: `${error.message} Your cart marks them. Nothing has been charged here.`,
      };
    case 'PROVIDER_DOWN':
      return {
        title: 'The card service does not answer',
        text: 'Your seats are kept and nothing has been charged. Please try again in a moment.',
        action: again,
      };
    case 'NOT_FOUND':
      return {
        title: 'Some of these are not in your cart any more',
        text: 'If you have just paid for them, you will find them in your enrolled classes. Otherwise choose again from your cart.',
        action: <LinkButton to={paths.dashboard.myEnrolledClasses}>My enrolled classes</LinkButton>,
      };
    default:
      return { title: 'The payment could not begin', text: error.message, action: again };
  }
}
