// What the chosen items of the cart cost together, what they save and why, and the button that pays
// for all of them. On a phone it stays at the bottom of the screen.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CartItem } from '../../contract/checkout/cart.ts';
import { quoteBasket } from '../../contract/checkout/checkout.ts';
import type { Nudge } from '../../contract/checkout/pricing.ts';
import type { BasketLine } from '../../contract/platform/lines.ts';
import { query } from '../platform/api/query.ts';
import { paths } from '../platform/paths.ts';
import { LinkButton } from '../platform/ui/Button.tsx';
import { Icon } from '../platform/ui/Icon.tsx';
import { Modal } from '../platform/ui/Modal.tsx';
import { nameFor } from '../platform/ui/ForWhom.tsx';
import { price } from '../platform/ui/money.ts';
import { totalOf } from './Check.tsx';

interface CartBarProps {
  /** The items that are checked. */
  chosen: readonly CartItem[];
  /** How many could be. */
  payable: number;
}

/** Without several items or a discount it is the plain total. */
export function CartBar({ chosen, payable }: CartBarProps) {
  const ids = chosen.map(({ cartItemId }) => cartItemId);
  const quote = useQuery({
    ...query(quoteBasket, { items: ids.join(',') }),
    enabled: ids.length > 0,
    retry: false,
    placeholderData: (before) => before,
  });
  const [open, setOpen] = useState(false);
  const priced = ids.length > 0 ? quote.data : undefined;
  const cents = priced?.totalCents ?? totalOf(chosen).cents;
  const nudge = quote.isPlaceholderData ? undefined : priced?.nudges[0];
  return (
    <>
      {nudge && <Suggestion key={inWords(nudge)} text={inWords(nudge)} />}
      <div
        className={`border-base-300 bg-base-100 lg:rounded-box mt-3 flex items-center gap-4 px-4 lg:border lg:py-3 ${payable > 1 ? 'bottom-bar' : 'rounded-box border py-3'}`}
      >
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span>
              Total
              <span className="muted text-sm">
                {' '}
                of {ids.length} {ids.length === 1 ? 'class' : 'classes'}
              </span>
            </span>
            <span
              className={`figures text-2xl font-bold ${quote.isPlaceholderData ? 'opacity-60' : ''}`}
            >
              {price(cents)}
            </span>
          </p>
          {priced && priced.savedCents > 0 && (
            <button
              type="button"
              className="text-success -mb-2 flex min-h-11 cursor-pointer items-center gap-1 text-sm font-medium lg:ml-auto"
              aria-haspopup="dialog"
              onClick={() => setOpen(true)}
            >
              You save {price(priced.savedCents)}
              <Icon name="down" className="size-4" />
            </button>
          )}
        </div>
        {payable > 1 && ids.length > 0 && (
          <LinkButton
            to={paths.dashboard.paymentOfAll(ids)}
            // A total of other seats was not seen of these.
            state={priced && !quote.isPlaceholderData ? { seenCents: priced.totalCents } : null}
            className="min-h-12 shrink-0"
          >
            {ids.length === payable ? 'Pay all' : 'Pay selected'}
          </LinkButton>
        )}
      </div>
      {open && priced && (
        <Modal
          title={`You save ${price(priced.savedCents)}`}
          shape="sheet"
          onClose={() => setOpen(false)}
        >
          <Reasons lines={priced.lines} />
        </Modal>
      )}
    </>
  );
}

const dismissed = 'nudge-dismissed';

const inWords = ({ name, another, percent, cents }: Nudge) =>
  `Add ${another ? 'another class' : 'a class'} for ${name ?? 'yourself'}${
    percent > 0 ? `: ${percent} % off it` : ` and save ${price(cents)}`
  }.`;

/** A suggestion that was closed does not come back while the tab is open. */
function Suggestion({ text }: { text: string }) {
  const [shown, setShown] = useState(() => sessionStorage.getItem(dismissed) !== text);
  if (!shown) return null;
  return (
    <p className="rounded-box border-info/40 bg-info/10 mt-3 flex items-center gap-3 border py-1 pr-1 pl-4">
      <span className="min-w-0 flex-1 wrap-anywhere">{text}</span>
      <button
        type="button"
        className="btn btn-ghost btn-circle"
        aria-label="Close the suggestion"
        onClick={() => {
          sessionStorage.setItem(dismissed, text);
          setShown(false);
        }}
      >
        <Icon name="x" className="size-4" />
      </button>
    </p>
  );
}

/** Every discount of every line. */
function Reasons({ lines }: { lines: readonly BasketLine[] }) {
  return (
    <ul className="flex flex-col gap-4">
      {lines
        .filter(({ cents, listCents }) => cents < listCents)
        .map(({ cartItemId, name, participant, listCents, cents, why }) => (
          <li key={cartItemId}>
            <p className="flex items-baseline justify-between gap-4">
              <span className="font-semibold wrap-anywhere">{nameFor(name, participant)}</span>
              <span className="figures">{price(listCents)}</span>
            </p>
            <ul>
              {why.map(({ text, cents: off }) => (
                <li key={text} className="text-success flex justify-between gap-4 text-sm">
                  <span className="wrap-anywhere">{text}</span>
                  <span className="figures">−{price(off)}</span>
                </li>
              ))}
            </ul>
            <p className="figures border-base-300 mt-1 border-t pt-1 text-right font-semibold">
              {price(cents)}
            </p>
          </li>
        ))}
    </ul>
  );
}
