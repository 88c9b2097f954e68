// Not all seats of a basket can be had: names every line that cannot, and offers to pay for the rest.
import { useQuery } from '@tanstack/react-query';
import { quoteBasket } from '../../../../contract/checkout.ts';
import type { BasketLine, RefusedLine } from '../../../../contract/lines.ts';
import { query } from '../../../api/query.ts';
import { paths } from '../../../paths.ts';
import { LinkButton } from '../../../ui/Button.tsx';
import { nameFor } from '../../../ui/ForWhom.tsx';
import { money } from '../../../ui/money.ts';
import { EmptyState } from '../../../ui/States.tsx';

interface BasketRefusedProps {
  lines: readonly BasketLine[];
  refused: readonly RefusedLine[];
  coupon: string | undefined;
  /** Seconds for which the seats of the rest are still held; absent when none is. */
  heldFor?: number | null;
}

export function BasketRefused({ lines, refused, coupon, heldFor }: BasketRefusedProps) {
  const codes = new Map(refused.map(({ item, code }) => [item, code]));
  const gone = lines.filter(({ item }) => codes.has(item));
  const rest = lines.filter(({ item }) => !codes.has(item));
  const ids = rest.map(({ item }) => item);
  const quote = useQuery({
    ...query(quoteBasket, { items: ids.join(','), ...(coupon && { coupon }) }),
    enabled: ids.length > 0,
    retry: false,
  });
  const total = quote.data?.total;
  const title =
    gone.length === 1 ? 'One class is no longer available' : 'Some classes are no longer available';
  return (
    <div role="alert">
      <EmptyState
        title={rest.length === 0 ? 'None of these is available any more' : title}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            {rest.length > 0 && (
              <LinkButton
                to={paths.dashboard.paymentOfAll(ids, coupon)}
                state={total === undefined ? null : { seen: total }}
                replace
              >
                Pay the rest{total !== undefined && `: ${money(total)}`}
              </LinkButton>
            )}
            <LinkButton look="outline" to={paths.dashboard.myCart}>
              Go to my cart
            </LinkButton>
          </div>
        }
      >
        {gone.map((line) => (
          <span key={line.item} className="block">
            {inWords(line, codes.get(line.item) ?? 'CLOSED')}
          </span>
        ))}
        <span className="mt-2 block">
          {rest.length > 0 && heldFor ? `${stillHeld(rest, heldFor)} ` : ''}Nothing has been
          charged.
        </span>
      </EmptyState>
    </div>
  );
}

/** 'Swimming and Yoga are still held for you (9:12).' */
function stillHeld(rest: readonly BasketLine[], seconds: number): string {
  const names = new Intl.ListFormat('en').format(
    rest.map(({ name, participant }) => nameFor(name, participant)),
  );
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return `${names} ${rest.length === 1 ? 'is' : 'are'} still held for you (${clock}).`;
}

function inWords({ name, participant }: BasketLine, code: RefusedLine['code']): string {
  const what = nameFor(name, participant);
  const words: Record<RefusedLine['code'], string> = {
    SOLD_OUT: `No seat is left in ${what}.`,
    PRICE_CHANGED: `The price of ${what} has changed.`,
    CLOSED: `${what} is no longer offered.`,
    CLASS_IN_REVIEW: `${what} is being checked by the academy. It will be back soon.`,
    CLASS_OVER: `${what} has ended.`,
    WRONG_AGE: `${what} is for other ages.`,
    ALREADY_ENROLLED: `${participant ? `${participant} has` : 'You have'} a seat in ${name} already.`,
    BEING_PAID: `Another guardian is paying for ${what}.`,
  };
  return words[code];
}
