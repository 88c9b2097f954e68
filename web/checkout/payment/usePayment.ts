// Pays once, records the payment and says in which phase it is.
import type { Stripe, StripeCardElement } from '@stripe/stripe-js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Answer, Input } from '../../../contract/platform/call.ts';
import { quoteBasket } from '../../../contract/checkout/checkout.ts';
import { settings } from '../../../contract/platform/settings.ts';
import type { BasketLine } from '../../../contract/platform/lines.ts';
import { recordPayment } from '../../../contract/checkout/payments.ts';
import { query, readAgain } from '../../platform/api/query.ts';
import { ApiError, send } from '../../platform/api/send.ts';
import type { BookedState } from '../Booked.tsx';
import { goOn, loadCards, look, type Outcome, pay } from '../cards.ts';
import { paths } from '../../platform/paths.ts';
import { type After, isAfter } from './Outcome.tsx';
import type { Basket, Go, Wanted } from './useOpening.ts';

type Phase = 'looking' | 'ready' | 'working' | 'recording' | 'unanswered' | 'over' | After;

export interface User {
  name: string;
  email: string;
}

/** What the parts of the page share. */
export interface Till extends Pick<Wanted, 'ids' | 'coupon' | 'spends'> {
  spendable: number;
  onSpends: (spends: boolean) => void;
  basket: Basket;
  user: User;
  payment: ReturnType<typeof usePayment>;
  /** For which the seats are held; null: not known yet. */
  seconds: number | null;
  go: Go;
  again: () => void;
}

/**
 * One payment at a time: the lock is a ref, because three clicks come faster than React draws a
 * disabled button. `onClosed`: a class was denied while it was being paid for.
 */
export function usePayment(basket: Basket | undefined, user: User, onClosed: () => void) {
  const secret = basket?.clientSecret ?? '';
  const cards = useCards(secret !== '');
  const stripe = cards.data;
  const [phase, setPhase] = useState<Phase>('looking');
  const [refusal, setRefusal] = useState<string | null>(null);
  const locked = useRef(false);
  const client = useQueryClient();
  const lines = basket?.lines ?? [];
  const showBooked = useBooked();

  const finish = async (transactionId: string) => {
    const recorded = await record({
      transactionId,
      email: user.email,
      customer: user.name,
      itemId: lines[0]?.classId,
      itemName: nameOf(lines),
      price: basket && basket.totalCents / 100,
      date: new Date().toISOString(),
      status: 'pending',
    });
    if (!recorded) {
      void readAgain(client);
      return setPhase('recorded later');
    }
    if (await showBooked(recorded)) return undefined;
    const booked = recorded.lines?.some(({ outcome }) => outcome === 'enrolled');
    return setPhase(booked ? 'part refund' : 'refund');
  };

  /** A payment is cancelled when its time is over, or when a class was denied. */
  const isClosed = async () => {
    const items = lines.map(({ cartItemId }) => cartItemId).join(',');
    const now = await send(quoteBasket, { items }).catch(() => null);
    return now?.lines.some(({ state }) => state === 'closed') ?? false;
  };

  const go = async (work: (stripe: Stripe) => Promise<Outcome>, meanwhile?: Phase) => {
    if (locked.current || !stripe) return;
    locked.current = true;
    if (meanwhile) {
      setPhase(meanwhile);
      setRefusal(null);
    }
    try {
      const outcome = await work(stripe);
      if (outcome.is === 'paid') {
        // Found paid after a reload: there is nothing left to fill in.
        setPhase(meanwhile ? 'recording' : 'recorded later');
        return await finish(outcome.transactionId);
      }
      if (outcome.is === 'over' && (await isClosed())) return onClosed();
      if (outcome.is === 'refused') setRefusal(outcome.message);
      setPhase(outcome.is === 'open' || outcome.is === 'refused' ? 'ready' : outcome.is);
    } finally {
      locked.current = false;
    }
  };
  /** The money may have moved already: asked before anything is offered to be paid. */
  const check = () => go((to) => look(to, secret));

  const start = useRef(check);
  useEffect(() => {
    start.current = check;
  });
  useEffect(() => {
    if (stripe && secret) void start.current();
  }, [stripe, secret]);

  return {
    cards,
    phase,
    after: isAfter(phase) ? phase : null,
    refusal,
    forget: () => setRefusal(null),
    check,
    pay: (card: StripeCardElement) => void go((to) => pay(to, secret, card, user), 'working'),
    goOn: () => void go((to) => goOn(to, secret), 'working'),
  };
}

function useCards(wanted: boolean) {
  const { data: site } = useQuery({ ...query(settings, {}), staleTime: Infinity });
  return useQuery({
    queryKey: ['card form'],
    queryFn: () =>
      site ? loadCards(site.cards) : Promise.reject(new Error('The card form is not ready.')),
    enabled: wanted && site !== undefined,
    retry: false,
    staleTime: Infinity,
    // It is the provider's object, not data of ours.
    structuralSharing: false,
  });
}

/** 'Tennis' or '3 classes: Tennis, Swimming, Yoga' */
function nameOf(lines: readonly BasketLine[]): string {
  const names = [...new Set(lines.map(({ name }) => name))].join(', ');
  return lines.length > 1 ? `${lines.length} classes: ${names}` : names;
}

/** Leads to the cart, which says that it is paid; false when a seat is refunded instead. */
export function useBooked() {
  const navigate = useNavigate();
  const client = useQueryClient();
  return async (recorded: Answer<typeof recordPayment>): Promise<boolean> => {
    const { insertResult, status, lines = [] } = recorded;
    void readAgain(client);
    if (status === 'refund_due' || status === 'refunded') return false;
    if (lines.some(({ outcome }) => outcome === 'refused')) return false;
    const booked = { paymentId: insertResult.insertedId, on: performance.timeOrigin };
    const state: BookedState = { booked };
    await navigate(paths.dashboard.mySelectedClasses, { replace: true, state });
    return true;
  };
}

/**
 * Three tries with the same body; null when none was accepted. The card is charged by now, so this
 * never says "failed".
 */
async function record(body: Input<typeof recordPayment>) {
  for (const pause of [0, 1_000, 3_000]) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    try {
      return await send(recordPayment, body);
    } catch (error) {
      // Signed out in between: the provider reports the payment to the server.
      if (error instanceof ApiError && error.status === 401) return null;
    }
  }
  return null;
}
