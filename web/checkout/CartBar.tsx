// What the chosen items of the cart cost together, what they save and why, and the button that pays
// for all of them: on a phone always at the bottom of the screen.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CartItem } from '../../contract/checkout/cart.ts';
import { quoteBasket } from '../../contract/checkout/checkout.ts';
import type { Nudge } from '../../contract/checkout/pricing.ts';
import type { BasketLine } from '../../contract/platform/lines.ts';
import { query } from '../platform/api/query.ts';
import { paths } from '../platform/paths.ts';
import { Amount } from '../platform/ui/Amount.tsx';
import { Bar } from '../platform/ui/Bar.tsx';
import { LinkButton } from '../platform/ui/Button.tsx';
import { Icon } from '../platform/ui/Icon.tsx';
import { Modal } from '../platform/ui/Modal.tsx';
import { nameFor } from '../platform/ui/ForWhom.tsx';
import { price } from '../platform/ui/money.ts';
import { Note } from '../platform/ui/Note.tsx';
import { totalOf } from './Check.tsx';

interface CartBarProps {
  /** The items that are checked. */
  chosen: readonly CartItem[];
  /** How many could be. */
  payable: number;
}

/** From 80rem on a card beside the cart, with its lines; below a bar. */
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
  const words = chosen.length < payable ? 'Pay selected' : ids.length > 1 ? 'Pay all' : 'Pay';
  const saved = priced?.savedCents ?? 0;
  // Nobody adds a class for less than a twentieth.
  const nudge = priced?.nudges.find((one) => one.percent >= 5 || one.cents * 20 >= cents);
  return (
    <div className="flex flex-col gap-3 xl:sticky xl:top-24">
      {nudge && !quote.isPlaceholderData && <Note>{inWords(nudge)}</Note>}
      <div className="cart-total">
        <div className="empty:hidden max-xl:hidden">
          {priced && <Reasons lines={priced.lines} />}
        </div>
        <Bar
          words={
            <>
              <p className="meta">
                {ids.length} {ids.length === 1 ? 'class' : 'classes'}
              </p>
              <p className="max-xl:hidden">
                <Amount cents={cents} className="text-3xl font-bold" />
              </p>
              {saved > 0 && (
                <button
                  type="button"
                  className="text-success -my-2 flex min-h-11 cursor-pointer items-center gap-1 text-left text-sm font-medium"
                  aria-haspopup="dialog"
                  onClick={() => setOpen(true)}
                >
                  <span>
                    You save <Amount cents={saved} />
                  </span>
                  <Icon name="down" className="size-4 shrink-0" />
                </button>
              )}
            </>
          }
        >
          {ids.length > 0 && (
            <LinkButton
              to={paths.dashboard.paymentOfAll(ids)}
              // A total of other seats was not seen of these.
              state={priced && !quote.isPlaceholderData ? { seenCents: priced.totalCents } : null}
              className="min-h-12 shrink-0"
            >
              <span>
                {words} · <Amount cents={cents} />
              </span>
            </LinkButton>
          )}
        </Bar>
      </div>
      {open && priced && (
        <Modal title={`You save ${price(saved)}`} shape="sheet" onClose={() => setOpen(false)}>
          <Reasons lines={priced.lines.filter((line) => line.cents < line.listCents)} />
        </Modal>
      )}
    </div>
  );
}

const inWords = ({ name, another, percent, cents }: Nudge) =>
  `Add ${another ? 'another class' : 'a class'} for ${name ?? 'yourself'}${
    percent > 0 ? `: ${percent} % off it` : ` and save ${price(cents)}`
  }.`;

/** Every line with its discounts. */
const Reasons = ({ lines }: { lines: readonly BasketLine[] }) => (
  <ul className="flex flex-col gap-3">
    {lines.map(({ cartItemId, name, participant, listCents, cents, why }) => (
      <li key={cartItemId}>
        <p className="flex items-baseline justify-between gap-4">
          <span className="font-semibold wrap-anywhere">{nameFor(name, participant)}</span>
          <Amount cents={listCents} />
        </p>
        {why.map(({ text, cents: off }) => (
          <p key={text} className="text-success flex justify-between gap-4 text-sm">
            <span className="wrap-anywhere">{text}</span>
            <Amount cents={off} sign="−" />
          </p>
        ))}
        {cents < listCents && (
          <p className="border-base-300 mt-1 border-t pt-1 text-right font-semibold">
            <Amount cents={cents} />
          </p>
        )}
      </li>
    ))}
  </ul>
);
