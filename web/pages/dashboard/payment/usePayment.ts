// Pays once, records the payment and says in which phase it is.
// Not for: calls to the card provider (features/checkout/cards.ts).
import type { Stripe } from '@stripe/stripe-js';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Answer, Input } from '../../../../contract/call.ts';
import { listCart } from '../../../../contract/cart.ts';
import { getClass, listClasses } from '../../../../contract/classes.ts';
import { studentFigures } from '../../../../contract/figures.ts';
import { messages } from '../../../../contract/messages.ts';
import { listEnrolments, listPayments, recordPayment } from '../../../../contract/payments.ts';
import type { createIntent } from '../../../../contract/payments.ts';
import { query, readAgain } from '../../../api/query.ts';
import { ApiError, send } from '../../../api/send.ts';
import type { BookedState } from '../../../features/checkout/Booked.tsx';
import { look, type Outcome } from '../../../features/checkout/cards.ts';
import { paths } from '../../../paths.ts';
import { success } from '../../../ui/alert.ts';

/** The phases of a payment on this page. */
type Phase =
  | {
      at:
        | 'looking'
        | 'ready'
        | 'working'
        | 'unanswered'
        | 'processing'
        | 'over'
        | 'unknown'
        | 'refund'
        | 'part refund';
    }
  | { at: 'recording' | 'recorded later'; transactionId: string };

/** What is held: one seat, or those of a basket (then `itemId` is the class of its first line). */
export interface Held extends Answer<typeof createIntent> {
  /** The classes of a basket. */
  classIds?: readonly string[];
}

/** The held seats and who pays for them. */
export interface Purchase {
  intent: Held;
  user: { name: string; email: string };
  /** The class was denied while it was being paid for. */
  onClosed: () => void;
}

/**
 * One payment at a time: the lock is a ref, because three clicks come faster than React draws a
 * disabled button.
 */
export function usePayment({
  intent,
  user,
  stripe,
  refuse,
  onClosed,
}: Purchase & {
  stripe: Stripe | null;
  refuse: (message: string | null, declined?: boolean) => void;
}) {
  const [phase, setPhase] = useState<Phase>({ at: 'looking' });
  const locked = useRef(false);
  const client = useQueryClient();
  const showBooked = useBooked(intent.name);

  const finish = async (transactionId: string) => {
    setPhase({ at: 'recording', transactionId });
    const recorded = await record(transactionId, intent, user);
    if (!recorded) {
      void readAgain(client, afterPayment);
      return setPhase({ at: 'recorded later', transactionId });
    }
    if (await showBooked(recorded)) return undefined;
    const booked = recorded.lines?.some(({ outcome }) => outcome === 'enrolled');
    return setPhase({ at: booked ? 'part refund' : 'refund' });
  };

  /**
   * A payment is cancelled when its time is over or when the class was denied; the cart tells
   * which.
   */
  const isClosed = async () => {
    const cart = await client
      .fetchQuery({ ...query(listCart, { email: user.email }), retry: false })
      .catch(() => []);
    return cart.some(
      ({ itemId, state, inReview }) =>
        (intent.classIds ?? [intent.itemId]).includes(itemId) && state === 'closed' && !inReview,
    );
  };

  const go = async (work: () => Promise<Outcome>) => {
    if (locked.current) return;
    locked.current = true;
    try {
      const outcome = await work();
      if (outcome.is === 'paid') return await finish(outcome.transactionId);
      if (outcome.is === 'over' && (await isClosed())) onClosed();
      if (outcome.is === 'refused') refuse(outcome.message, outcome.declined);
      setPhase({ at: outcome.is === 'open' || outcome.is === 'refused' ? 'ready' : outcome.is });
    } finally {
      locked.current = false;
    }
  };

  const run = (work: () => Promise<Outcome>) => {
    if (locked.current) return;
    setPhase({ at: 'working' });
    refuse(null);
    void go(work);
  };

  // After a reload the money may have moved already: ask before offering to pay.
  const start = useRef(go);
  useEffect(() => {
    start.current = go;
  });
  useEffect(() => {
    if (stripe) void start.current(() => look(stripe, intent.clientSecret));
  }, [stripe, intent.clientSecret]);

  return { phase, run };
}

/** Says that it is paid and leads to the cart; false when a seat is refunded instead. */
export function useBooked(name: string) {
  const navigate = useNavigate();
  const client = useQueryClient();
  return async (recorded: Answer<typeof recordPayment>): Promise<boolean> => {
    const { insertResult, status, lines = [] } = recorded;
    void readAgain(client, afterPayment);
    if (status === 'refund_due' || status === 'refunded') return false;
    if (lines.some(({ outcome }) => outcome === 'refused')) return false;
    void success(messages.paid, messages.transactionComplete);
    const state: BookedState = { booked: { paymentId: insertResult.insertedId, name } };
    await navigate(paths.dashboard.mySelectedClasses, { replace: true, state });
    return true;
  };
}

const afterPayment = [
  listCart,
  listEnrolments,
  listPayments,
  studentFigures,
  listClasses,
  getClass,
];

/**
 * Three tries with the same body; null when none was accepted. The card is charged by now, so this
 * never says "failed".
 */
async function record(transactionId: string, intent: Purchase['intent'], user: Purchase['user']) {
  const body: Input<typeof recordPayment> = {
    transactionId,
    email: user.email,
    customer: user.name,
    itemId: intent.itemId,
    itemName: intent.name,
    price: intent.price,
    date: new Date().toISOString(),
    status: 'pending',
  };
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
