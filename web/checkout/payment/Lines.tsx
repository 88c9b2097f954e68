// What is paid for: each seat with its discounts, the code, the total, and how long the seats are held.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { getCart } from '../../../contract/checkout/cart.ts';
import { openBasket, quoteBasket } from '../../../contract/checkout/checkout.ts';
import { limits } from '../../../contract/platform/limits.ts';
import type { BasketLine } from '../../../contract/platform/lines.ts';
import { extendHold } from '../../../contract/checkout/payments.ts';
import { query, useCall } from '../../platform/api/query.ts';
import { ClashNote } from '../../classes/ClashNote.tsx';
import { Amount } from '../../platform/ui/Amount.tsx';
import { Button } from '../../platform/ui/Button.tsx';
import { Countdown } from '../../platform/ui/Countdown.tsx';
import { ForWhom } from '../../platform/ui/ForWhom.tsx';
import { Picture } from '../../platform/ui/Picture.tsx';
import { WhenWhere } from '../../platform/ui/WhenWhere.tsx';
import { uncharged } from './Problem.tsx';
import type { Opening } from './useOpening.ts';
import type { Till } from './usePayment.ts';
import { readable } from '../../platform/api/send.ts';
import { Field } from '../../platform/ui/Field.tsx';

export function Lines(till: Till) {
  const { lines, totalCents, savedCents } = till.basket;
  const [first, ...more] = lines;
  const single = more.length === 0 ? first : undefined;
  return (
    <section aria-labelledby="summary" className="card border-base-300 bg-base-100 border">
      {single ? (
        <One line={single} />
      ) : (
        <h2 id="summary" className="px-5 pt-5 text-lg">
          {lines.length} seats
        </h2>
      )}
      <div className="card-body gap-4 p-5">
        <ul className="divide-base-300 border-base-300 divide-y border-y">
          {lines.map((line) => (
            <Line key={line.cartItemId} line={line} among={lines} />
          ))}
        </ul>
        <Coupon {...till} />
        {(!single || savedCents > 0) && (
          <div className="border-base-300 border-t pt-3">
            <p className="flex items-baseline justify-between">
              <span>Total</span>
              <Amount cents={totalCents} className="text-2xl font-bold" />
            </p>
            {savedCents > 0 && (
              <p className="text-success text-right text-sm font-medium">
                You save <Amount cents={savedCents} />
              </p>
            )}
          </div>
        )}
        <HeldFor {...till} label={single ? 'Your seat is held for' : 'Your seats are held for'} />
      </div>
    </section>
  );
}

/** The class of the only seat: what the cart knows of it, too. */
function One({ line: { cartItemId, name, participant } }: { line: BasketLine }) {
  const cart = useQuery({ ...query(getCart, {}), staleTime: Infinity });
  const known = cart.data?.find((item) => item.cartItemId === cartItemId);
  return (
    <>
      {known && (
        <Picture
          src={known.img}
          alt=""
          width={640}
          height={360}
          className="rounded-t-box aspect-video w-full object-cover max-lg:hidden"
        />
      )}
      <div className="flex flex-col gap-4 px-5 pt-5">
        <div>
          <h2 id="summary" className="text-lg leading-snug font-bold wrap-anywhere">
            {name}
          </h2>
          <ForWhom name={participant} />
        </div>
        <WhenWhere schedule={known?.schedule ?? ''} place={known?.place ?? ''} />
      </div>
    </>
  );
}

function Line({ line, among }: { line: BasketLine; among: readonly BasketLine[] }) {
  const { name, participant, listCents, cents, why, clashes } = line;
  const single = among.length === 1;
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
          <Amount cents={cents} className={single ? 'text-2xl font-bold' : ''} />
        </span>
      </div>
      {!single && <ForWhom name={participant} among={among} />}
      {why.map(({ text, cents: off }) => (
        <p key={text} className="text-success flex justify-between gap-4 text-sm">
          <span className="wrap-anywhere">{text}</span>
          <Amount cents={off} sign="−" />
        </p>
      ))}
      {!single && <ClashNote clashes={clashes} />}
    </li>
  );
}

/** One extension is that of all seats of the basket. */
function HeldFor({ label, basket, seconds, again }: Till & { label: string }) {
  const client = useQueryClient();
  const extend = useCall(extendHold);
  const keep = () =>
    extend.mutate(
      { id: basket.holdId },
      {
        onSuccess: ({ expiresAt }) =>
          void client.setQueriesData<Opening>(
            { queryKey: [openBasket.id] },
            (held) => held?.basket && { ...held, basket: { ...held.basket, expiresAt } },
          ),
        onError: ({ code }) => code === 'CLASS_CLOSED' && again(),
      },
    );
  return (
    <>
      {seconds !== null && (
        <Countdown label={label} seconds={seconds} whole={limits.holdMinutes * 60} />
      )}
      {!!seconds && (
        <Button look="outline" size="small" busy={extend.isPending} onClick={keep}>
          Give me more time
        </Button>
      )}
      <output className="muted text-sm empty:hidden">
        {extend.isSuccess && `You have ${limits.holdMinutes} more minutes.`}
        {extend.error && extend.error.code !== 'CLASS_CLOSED' && uncharged(extend.error.message)}
      </output>
    </>
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
