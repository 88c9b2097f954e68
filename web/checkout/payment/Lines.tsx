// What is paid for, in one row that unfolds: each seat with its discounts and the code. Below it who
// comes.
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { getCart } from '../../../contract/checkout/cart.ts';
import { quoteBasket } from '../../../contract/checkout/checkout.ts';
import type { BasketLine } from '../../../contract/platform/lines.ts';
import { ChangeLink } from '../../classes/ChangeWho.tsx';
import { query, useCall } from '../../platform/api/query.ts';
import { readable } from '../../platform/api/send.ts';
import { Amount } from '../../platform/ui/Amount.tsx';
import { Button } from '../../platform/ui/Button.tsx';
import { Field, Tick } from '../../platform/ui/Field.tsx';
import { ForWhom, nameFor } from '../../platform/ui/ForWhom.tsx';
import { Icon } from '../../platform/ui/Icon.tsx';
import { WhenWhere } from '../../platform/ui/WhenWhere.tsx';
import { Who } from '../../platform/ui/Who.tsx';
import { HeldFor } from './HeldFor.tsx';
import type { Till } from './usePayment.ts';

type LinesProps = Till & { onChange: (line: BasketLine) => void };

export function Lines({ onChange, ...till }: LinesProps) {
  const { lines, totalCents, savedCents, swap } = till.basket;
  const [first, ...more] = lines;
  const single = more.length === 0 ? first : undefined;
  // On a phone the card comes first.
  const [isWide] = useState(() => matchMedia('(width >= 64rem)').matches);
  const children = new Map(
    lines.flatMap(({ participantId, participant }) =>
      participant ? [[participantId, { id: participantId, name: participant }]] : [],
    ),
  );
  return (
    <section aria-labelledby="summary" className="card-frame gap-2">
      <details open={isWide} className="group">
        <summary className="flex min-h-11 cursor-pointer list-none items-center gap-3">
          <h2 id="summary" className="heading min-w-0 flex-1">
            {single ? single.name : `${lines.length} seats`}
          </h2>
          <Amount cents={totalCents} className="text-lg font-bold" />
          <Icon name="down" className="size-5 shrink-0 group-open:rotate-180" />
        </summary>
        {single && <WhenWhereOf line={single} />}
        <ul className="divide-base-300 border-base-300 mt-2 divide-y border-y empty:hidden">
          {lines.map((line) => (
            <Line key={line.cartItemId} line={line} among={lines} onChange={onChange} />
          ))}
        </ul>
        {savedCents > 0 && (
          <p className="text-success mt-2 text-right text-sm font-medium">
            You save <Amount cents={savedCents} />
          </p>
        )}
        {!swap && <Coupon {...till} />}
      </details>
      {single ? (
        <Comes line={single} among={lines} onChange={onChange} />
      ) : (
        <p className="flex flex-wrap gap-x-3 empty:hidden [details[open]+&]:hidden">
          {[...children.values()].map((child) => (
            <Who key={child.id} person={child} />
          ))}
        </p>
      )}
      {swap && <Instead {...till.basket} swap={swap} />}
      <Spend {...till} />
      <HeldFor {...till} />
    </section>
  );
}

type InsteadProps = Till['basket'] & { swap: NonNullable<Till['basket']['swap']> };

/** A change of class: the old seat ends with this payment. */
function Instead({ totalCents, swap }: InsteadProps) {
  const pays = totalCents - swap.cents;
  return (
    <div>
      <p className="flex justify-between gap-4">
        <span>Your old seat pays</span>
        <Amount cents={swap.cents} sign="−" />
      </p>
      <p className="font-semibold">
        {pays > 0 ? (
          <>
            You pay <Amount cents={pays} />
          </>
        ) : swap.backCents > 0 ? (
          <>
            <Amount cents={swap.backCents} /> to your credit
          </>
        ) : (
          'Nothing to pay.'
        )}
      </p>
      <p className="muted text-sm">The old seat is yours until this one is.</p>
    </div>
  );
}

/** One switch, on by default: credit first, the card for the rest. */
function Spend({ spendable, spends, onSpends, basket }: Till) {
  if (spendable === 0) return null;
  const { creditCents, cardCents } = basket;
  return (
    <div>
      <Tick checked={spends} onChange={({ currentTarget }) => onSpends(currentTarget.checked)}>
        Use my credit <Amount cents={spendable} />
      </Tick>
      {creditCents > 0 && cardCents > 0 && (
        <p className="meta">
          <Amount cents={cardCents} /> by card
        </p>
      )}
    </div>
  );
}

/** What the cart knows of the only class. */
function WhenWhereOf({ line }: { line: BasketLine }) {
  const cart = useQuery({ ...query(getCart, {}), staleTime: Infinity });
  const known = cart.data?.find(({ cartItemId }) => cartItemId === line.cartItemId);
  return <WhenWhere schedule={known?.schedule ?? ''} place={known?.place ?? ''} />;
}

interface LineProps {
  line: BasketLine;
  onChange: (line: BasketLine) => void;
  among: readonly BasketLine[];
}

function Comes({ line, onChange, among }: LineProps) {
  if (!among.some(({ participant }) => participant)) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-2">
      <ForWhom name={line.participant} among={among} />
      {line.participant && (
        <ChangeLink of={nameFor(line.name, line.participant)} onChange={() => onChange(line)} />
      )}
    </div>
  );
}

/** Of a single one only its discounts: name and price are above. */
function Line({ line, onChange, among }: LineProps) {
  const { name, listCents, cents, why } = line;
  const single = among.length === 1;
  if (single && cents === listCents) return null;
  return (
    <li className="flex flex-col gap-0.5 py-3">
      <div className="flex items-baseline justify-between gap-4">
        <span className={single ? '' : 'font-semibold wrap-anywhere'}>
          {single ? 'One seat' : name}
        </span>
        <span className="shrink-0 text-right">
          {cents < listCents && (
            <s className="muted mr-2 text-sm">
              <span className="sr-only">List price: </span>
              <Amount cents={listCents} />
            </s>
          )}
          <Amount cents={cents} />
        </span>
      </div>
      {!single && <Comes line={line} among={among} onChange={onChange} />}
      {why.map(({ text, cents: off }) => (
        <p key={text} className="text-success flex justify-between gap-4 text-sm">
          <span className="wrap-anywhere">{text}</span>
          <Amount cents={off} sign="−" />
        </p>
      ))}
    </li>
  );
}

/** The code of a coupon, folded until it is asked for. A code counts once the server has priced the basket with it. */
function Coupon({ ids, coupon, go }: Till) {
  const ask = useCall(quoteBasket);
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const code = typed.replace(/\s+/g, '').toUpperCase();
    const apply = (seen: number) => {
      setTyped('');
      go({ coupon: code, seen });
    };
    const asked = { items: ids.join(','), coupon: code };
    if (code) ask.mutate(asked, { onSuccess: ({ totalCents }) => apply(totalCents) });
  };
  const problem =
    ask.error?.status === 400
      ? 'A code has 4 to 24 letters, digits or hyphens.'
      : ask.error && readable(ask.error);
  if (coupon)
    return (
      <div className="flex items-center justify-between gap-3">
        <p className="min-w-0">
          <span className="muted text-sm">Code </span>
          <span className="figures font-semibold wrap-anywhere">{coupon}</span>
        </p>
        <Button
          look="plain"
          className="min-h-11"
          aria-label={`Remove the code ${coupon}`}
          onClick={() => go({})}
        >
          Remove
        </Button>
      </div>
    );
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex min-h-11 w-fit cursor-pointer items-center font-medium">
        Have a code?
      </summary>
      {/* Until then the card form is the only form of the page. */}
      {open && (
        <form onSubmit={submit} className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <Field
              label="Code"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              error={problem ?? undefined}
              maxLength={60}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              enterKeyHint="done"
              className="min-h-11 uppercase"
            />
          </div>
          <Button type="submit" look="outline" className="mt-6.5 min-h-11" busy={ask.isPending}>
            Apply
          </Button>
        </form>
      )}
    </details>
  );
}
