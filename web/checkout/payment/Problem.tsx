// Why the seats are not held, in plain words for each error code: what was charged (nothing, mostly),
// and what to do next.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { agesInWords } from '../../../contract/people/ages.ts';
import { quoteBasket } from '../../../contract/checkout/checkout.ts';
import { classClosed } from '../../../contract/platform/closed.ts';
import type { BasketLine, RefusedLine } from '../../../contract/platform/lines.ts';
import { query } from '../../platform/api/query.ts';
import { type ApiError, readable } from '../../platform/api/send.ts';
import { paths } from '../../platform/paths.ts';
import { Amount } from '../../platform/ui/Amount.tsx';
import { Button, LinkButton } from '../../platform/ui/Button.tsx';
import { clockOf } from '../../platform/ui/dates.ts';
import { nameFor } from '../../platform/ui/ForWhom.tsx';
import { EmptyState } from '../../platform/ui/States.tsx';
import type { Go, Opening } from './useOpening.ts';

/** Of a failure whose words do not say it. */
export const uncharged = (words: string) =>
  /nothing was charged/i.test(words) ? words : `${words} Nothing was charged.`;

/** Before a reload there may have been a payment of which this failure knows nothing. */
const justNow = 'Nothing was charged just now.';

interface ProblemProps {
  opening: Opening & { problem: ApiError };
  several: boolean;
  coupon: string | undefined;
  onAgain: () => void;
  go: Go;
}

type Words = readonly [title: string, text: ReactNode, action?: ReactNode];

export function Problem(props: ProblemProps) {
  const { problem, lines } = props.opening;
  const refused = (problem.lines ?? []) as RefusedLine[];
  const [line, [one]] = [lines[0], refused];
  if (problem.code !== 'BASKET_REFUSED') return <NotHeld words={reason(props)} />;
  if (props.several || !line || !one) return <NotAll {...props} refused={refused} />;
  return <NotHeld words={ofOne(line, one.code, props.onAgain)} />;
}

/** What is wrong, what to do about it, and the way back to the cart. */
const NotHeld = ({ words: [title, text, action] }: { words: Words }) => (
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

const mine = <LinkButton to={paths.dashboard.myEnrolledClasses}>My enrolled classes</LinkButton>;
const history = <LinkButton to={paths.dashboard.paymentHistory}>Payment history</LinkButton>;

function reason({ opening, several, coupon, onAgain, go }: ProblemProps): Words {
  const { problem, lines, seen } = opening;
  const { code, message, totalCents = seen } = problem;
  const seats = several ? 'the seats' : 'a seat';
  const again = (words = 'Try again') => <Button onClick={onAgain}>{words}</Button>;
  switch (code) {
    case 'TOTAL_CHANGED':
      return [
        several ? 'The total has changed' : 'The price has changed',
        <>
          {several ? 'It was' : `${lines[0]?.name} cost`} <Amount cents={seen} /> when you saw it;
          it is <Amount cents={totalCents} /> now. Nothing has been charged.
        </>,
        <Button key="go" onClick={() => go({ coupon, seen: totalCents })}>
          <span>
            Continue with <Amount cents={totalCents} />
          </span>
        </Button>,
      ];
    case 'COUPON_UNKNOWN':
    case 'COUPON_USED_UP':
      return [
        'The code does not count',
        `${message} Nothing has been charged.`,
        <Button key="go" onClick={() => go({})}>
          Continue without the code
        </Button>,
      ];
    case 'TOO_LITTLE_CREDIT':
      return [
        'Your credit has changed',
        'It was used elsewhere meanwhile. Nothing has been charged.',
        again('Go on with what is left'),
      ];
    case 'ALREADY_PAID':
      return [
        several ? 'This is paid for' : 'This class is paid for',
        'A payment for it has already gone through. You have not been charged again.',
        mine,
      ];
    case 'PAYMENT_RETURNED':
      return ['Your money comes back', message, history];
    case 'HOLD_EXPIRED':
      return [
        'Time is up',
        `Nothing was charged. You can hold ${seats} again.`,
        again(`Hold ${seats} again`),
      ];
    case 'TOO_MANY_HOLDS':
      return [
        several ? 'Too many seats are held for you' : 'Three payments are open already',
        `${message} Your cart marks them. Nothing has been charged here.`,
      ];
    case 'PROVIDER_DOWN':
      return [
        'The card service does not answer',
        `What is held stays yours. ${justNow} Please try again in a moment.`,
        again(),
      ];
    // A link that is no longer whole is refused as invalid.
    case 'NOT_FOUND':
    case 'NOT_IN_CART':
    case 'INVALID_INPUT':
      return [
        `${several ? 'Some of these are' : 'This class is'} not in your cart any more`,
        `What you have just paid for is in your enrolled classes. Otherwise choose again from your cart. ${justNow}`,
        mine,
      ];
    default:
      return ['The payment could not begin', `${readable(problem)} ${justNow}`, again()];
  }
}

/** Why a seat cannot be had: the title of the only one, and a sentence. */
function whyNot(
  line: BasketLine,
  code: RefusedLine['code'],
): readonly [title: string, sentence: string] {
  const { name, participant } = line;
  const what = nameFor(name, participant);
  const ages = agesInWords(line) || 'other ages';
  const words: Record<RefusedLine['code'], ReturnType<typeof whyNot>> = {
    SOLD_OUT: ['No seat is left', `No seat is left in ${what}.`],
    CLOSED: ['This class is no longer offered', `${what} is no longer offered.`],
    CLASS_IN_REVIEW: [
      'Not on sale just now',
      `${what} is being checked by the academy. It will be back soon.`,
    ],
    CLASS_OVER: ['This class has ended', `${what} has had its last meeting.`],
    WRONG_AGE: ['This class is for other ages', `${what} is for ${ages}.`],
    ALREADY_ENROLLED: [
      'This class is paid for',
      `${participant ? `${participant} has` : 'You have'} a seat in ${name} already.`,
    ],
    BEING_PAID: ['Another guardian is paying', `Another guardian is paying for ${what}.`],
    OFFER_OVER: ['Time is up', `The seat in ${what} is not kept any more.`],
  };
  return words[code];
}

function ofOne(line: BasketLine, code: RefusedLine['code'], onAgain: () => void): Words {
  const [title, sentence] = whyNot(line, code);
  const classes = <LinkButton to={paths.classes}>See other classes</LinkButton>;
  if (code === 'ALREADY_ENROLLED')
    return [title, `${sentence} You have not been charged again.`, mine];
  const again = <Button onClick={onAgain}>Try again</Button>;
  if (code === 'BEING_PAID' || code === 'CLASS_IN_REVIEW')
    return [title, uncharged(sentence), again];
  if (code === 'CLOSED') return [title, classClosed, classes];
  const hope =
    code === 'SOLD_OUT' ? ' A seat may become free again if another buyer does not pay.' : '';
  return [title, `${sentence} Nothing has been charged.${hope}`, classes];
}

type NotAllProps = ProblemProps & { refused: readonly RefusedLine[] };

/** Names every seat of several that cannot be had, and offers to pay for the rest. */
function NotAll({ opening: { lines, heldUntil }, refused, coupon }: NotAllProps) {
  const codes = new Map(refused.map(({ cartItemId, code }) => [cartItemId, code]));
  const rest = lines.filter(({ cartItemId }) => !codes.has(cartItemId));
  const ids = rest.map(({ cartItemId }) => cartItemId);
  const quote = useQuery({
    ...query(quoteBasket, { items: ids.join(','), ...(coupon && { coupon }) }),
    enabled: ids.length > 0,
    retry: false,
  });
  const cents = quote.data?.totalCents;
  const title =
    codes.size === 1 ? 'One class is no longer available' : 'Some classes are no longer available';
  const text = (
    <>
      {lines.map((line) => {
        const code = codes.get(line.cartItemId);
        return (
          code && (
            <span key={line.cartItemId} className="block">
              {whyNot(line, code)[1]}
            </span>
          )
        );
      })}
      <span className="mt-2 block">
        {rest.length > 0 && heldUntil && stillHeld(rest, heldUntil)}Nothing has been charged.
      </span>
    </>
  );
  if (rest.length === 0) return <NotHeld words={['None of these is available any more', text]} />;
  const pay = (
    <LinkButton
      to={paths.dashboard.paymentOfAll(ids, coupon)}
      state={cents === undefined ? null : { seenCents: cents }}
      replace
    >
      {cents === undefined ? (
        'Pay the rest'
      ) : (
        <span>
          Pay the rest: <Amount cents={cents} />
        </span>
      )}
    </LinkButton>
  );
  return <NotHeld words={[title, text, pay]} />;
}

/** 'Swimming and Yoga are still held for you until 14:36. ' */
function stillHeld(rest: readonly BasketLine[], until: string): string {
  const names = new Intl.ListFormat('en').format(
    rest.map(({ name, participant }) => nameFor(name, participant)),
  );
  return `${names} ${rest.length === 1 ? 'is' : 'are'} still held for you until ${clockOf(until)}. `;
}
