// POST /create-payment-intent for one seat and /checkout for several: the same basket, with the
// answers of each call. Holding and opening: open.ts.
import type { Services } from '../../platform/services.ts';
import {
  openBasket as openBasketCall,
  payBasket,
  quoteBasket,
} from '../../../contract/checkout/checkout.ts';
import {
  type BasketLine,
  lineRefusals,
  type RefusedLine,
} from '../../../contract/platform/lines.ts';
import { createIntent } from '../../../contract/checkout/payments.ts';
import { creditFor } from '../../../contract/checkout/credit.ts';
import { listChanges } from '../../../contract/checkout/leaving.ts';
import { explain } from '../../../contract/checkout/pricing.ts';
import { cents, dollars } from '../../../contract/platform/rules.ts';
import { fail, refuseField } from '../../platform/http/fail.ts';
import { wrongAge } from '../../people/participants.ts';
import { clashesOf } from '../clashes.ts';
import { createFindCoupon, nudgesFor, refuseUsedUp } from '../pricing.ts';
import { intentOf } from '../spec.ts';
import { spendable } from '../credit.ts';
import { mostHolds } from '../seats/claim.ts';
import { type Found, look, resolve, resolveAll, type Wanted } from './look.ts';
import { changesFor, readSwap, refuseOther } from './swap.ts';
import type { Caller } from '../../platform/http/on.ts';
import type { OpenBasket, Refused } from './open.ts';
import { cartItemOfPrice, quote, type Quote } from './prices.ts';
import { presentRecorded } from './receipts.ts';
import type { SettleFree } from './settle.ts';

export function checkoutRoutes({
  on,
  db,
  openBasket,
  settleFree,
  config,
}: Services & { openBasket: OpenBasket; settleFree: SettleFree }): void {
  const findCoupon = createFindCoupon(config);
  const couponOf = async (studentId: string, code: string | undefined) =>
    code === undefined ? null : findCoupon(db, studentId, code);

  on(createIntent, async ({ price, itemId: named }, { who }) => {
    const seen = cents(price) ?? refuseField('price', 'must be an amount such as 19.99');
    const item = named ?? (await cartItemOfPrice(db, who.id, seen));
    const opening = await openBasket(who, async () => [await resolve(db, who.id, item)], {
      seen,
      coupon: null,
      swap: null,
      credit: 0,
      most: mostHolds.alone,
    });
    if (opening.outcome === 'changed')
      fail('PRICE_CHANGED', { price: dollars(opening.quote.price.total) });
    if (opening.outcome === 'refused') return refuseOne(opening.refused);
    const [found, hold] = [opening.quote.price.lines[0], opening.holds[0]];
    if (!found || !hold || !opening.intent) return fail('HOLD_EXPIRED');
    const clashes = await clashesOf(db, who.id, [found]);
    return intentOf(found, {
      clientSecret: opening.intent.clientSecret,
      hold,
      cents: opening.quote.price.total,
      clashes: clashes(found),
    });
  });

  on(quoteBasket, async ({ items, coupon: code, instead }, { who }) => {
    const found = await look(db, who.id, await resolveAll(db, who.id, items));
    const coupon = await couponOf(who.id, code);
    if (coupon) await refuseUsedUp(db, { studentId: who.id, couponId: coupon.id });
    const swap = await swapFor(who, instead, found);
    const quoted = await quote(db, who.id, found, { coupon: swap ? null : coupon, swap });
    const nudges = swap ? [] : await nudgesFor(db, who.id, quoted.price.lines, quoted.rules);
    const { total } = quoted.price;
    const creditCents = creditFor(total - quoted.swapCents, await spendable(db, who.id, found));
    return { ...(await presentPrice(who.id, quoted, swap !== null)), creditCents, nudges };
  });

  on(openBasketCall, async (asked, { who }) => {
    const { items, totalCents, creditCents = 0, coupon: code, instead, insteadCents } = asked;
    const swap = await swapFor(who, instead, await resolveAll(db, who.id, items));
    const opening = await openBasket(who, () => resolveAll(db, who.id, items), {
      seen: totalCents,
      coupon: swap ? null : await couponOf(who.id, code),
      credit: creditCents,
      swap: swap && { ...swap, seenCents: insteadCents ?? null },
      most: items.length > 1 ? mostHolds.together : mostHolds.alone,
    });
    if (opening.outcome === 'refused') {
      const { refused } = opening;
      // The page says of seats that cannot be had that nothing was charged.
      if (refused.some(({ code }) => code === 'PAYMENT_RETURNED')) fail('PAYMENT_RETURNED');
      return fail('BASKET_REFUSED', { lines: refused.map(presentRefused) });
    }
    const price = await presentPrice(who.id, opening.quote, swap !== null);
    if (opening.outcome === 'changed')
      return fail('TOTAL_CHANGED', { totalCents: price.totalCents, lines: price.lines });
    const [first] = opening.holds;
    const ends = Math.min(...opening.holds.map(({ expiresAt }) => expiresAt.getTime()));
    return {
      basketId: opening.basketId,
      holdId: first?.id ?? '',
      clientSecret: opening.intent?.clientSecret ?? null,
      expiresAt: new Date(ends).toISOString(),
      ...price,
      creditCents,
      cardCents: price.totalCents - creditCents - (price.swap?.cents ?? 0),
    };
  });

  on(listChanges, async ({ id }, { who }) => changesFor(db, await readSwap(db, who, id)));

  on(payBasket, async ({ id }, { who, status }) => {
    const { payment, fresh } = await settleFree(id, who);
    if (!fresh) status(200);
    return presentRecorded(db, payment, who);
  });

  /** The page of a payment that was opened keeps what the old seat was worth then. */
  async function swapFor(who: Caller, instead: string | undefined, wanted: readonly Wanted[]) {
    if (instead === undefined) return null;
    const swap = await readSwap(db, who, instead);
    refuseOther(swap, wanted);
    return swap;
  }

  async function presentPrice(studentId: string, quoted: Quote, instead = false) {
    const { price, rules, swapCents, swapBackCents } = quoted;
    const clashes = await clashesOf(db, studentId, price.lines);
    const lines = price.lines.map((one): BasketLine => {
      const { classId, name, participantId, participant, minAge, maxAge, unfit } = one;
      return {
        cartItemId: itemOf(one),
        classId,
        name,
        participantId,
        participant,
        listCents: one.cents,
        cents: one.amount,
        why: explain(one.why, rules),
        state: stateOf(one),
        minAge,
        maxAge,
        unfit,
        undated: !one.dated,
        clashes: clashes(one),
      };
    });
    return {
      lines,
      totalCents: price.total,
      savedCents: price.saved,
      ...(instead && { swap: { cents: swapCents, backCents: swapBackCents } }),
    };
  }
}

/** The refusal of a request for one seat. */
function refuseOne([one]: readonly Refused[]): never {
  if (one?.code === 'WRONG_AGE') wrongAge(one.found);
  return fail(one?.code ?? 'HOLD_EXPIRED');
}

const itemOf = (found: Found) => found.cartItemId ?? found.holdId ?? found.classId;

const presentRefused = ({ found, code }: Refused): RefusedLine => ({
  cartItemId: itemOf(found),
  // What is in no cart was an offer.
  code:
    code === 'NOT_IN_CART'
      ? 'OFFER_OVER'
      : (lineRefusals.find((known) => known === code) ?? 'CLOSED'),
});

/** As in the cart. */
function stateOf({ onSale, enrolled, beingPaid, rightAge, free, holdState }: Found) {
  if (holdState === 'held') return 'ok' as const;
  if (!onSale || enrolled || beingPaid || !rightAge) return 'closed' as const;
  return free < 1 ? ('sold-out' as const) : ('ok' as const);
}
