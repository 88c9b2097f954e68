// Refunds and disputes.
import { badParam, missing, refused } from './errors.ts';
import { type Args, integer, mergeMetadata, onlyKnown, requiredText } from './form.ts';
import { intentOf } from './intents.ts';
import { behaviourOf } from './methods.ts';
import type { Charge, Dispute, Refund } from './objects.ts';
import { type Call, randomId, seconds, type World } from './world.ts';

export function createRefund(world: World, { args }: Call): Refund {
  onlyKnown(args, ['payment_intent', 'amount', 'metadata']);
  const asked = integer(args, 'amount');
  const charge = chargeOf(world, args);
  if (charge.disputed) {
    throw refused(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    });
  }
  const left = charge.amount - charge.amount_refunded;
  if (left === 0) {
    throw refused(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
    });
  }
  const amount = asked ?? left;
  if (amount < 1) {
    throw badParam('This value must be greater than or equal to 1.', {
      code: 'parameter_invalid_integer',
      param: 'amount',
    });
  }
  if (amount > left) {
    throw refused(
      `Refund amount (${money(amount)}) is greater than unrefunded amount on charge (${money(left)})`,
      { param: 'amount' },
    );
  }
  const method = world.store.get('payment_method', charge.payment_method);
  const isSlow = method !== undefined && behaviourOf(world, method).refund === 'pending';
  const refund: Refund = {
    id: randomId('re_3'),
    object: 'refund',
    amount,
    charge: charge.id,
    created: seconds(world),
    currency: charge.currency,
    metadata: mergeMetadata({}, args),
    payment_intent: charge.payment_intent,
    status: isSlow ? 'pending' : 'succeeded',
  };
  world.store.insert(refund, charge.payment_intent);
  setRefunded(world, charge, charge.amount_refunded + amount);
  world.emit('refund.created', refund);
  world.emit('charge.refunded', charge);
  if (isSlow) world.later(3000, 'refund_succeeds', refund.id);
  return refund;
}

/** The bank's late result of a refund: a pending one succeeds, or any one is returned. */
export function endRefund(world: World, id: string, status: 'succeeded' | 'failed'): Refund {
  const refund = world.store.get('refund', id);
  if (!refund) throw missing('refund', id);
  if (refund.status === status || refund.status === 'failed') return refund;
  const previous = { status: refund.status };
  refund.status = status;
  if (status === 'failed') {
    refund.failure_reason = 'expired_or_canceled_card';
    const charge = world.store.get('charge', refund.charge);
    // The merchant has the money again: it may be refunded again.
    if (charge) setRefunded(world, charge, charge.amount_refunded - refund.amount);
  }
  world.store.update(refund);
  world.emit('refund.updated', refund, previous);
  if (status === 'failed') world.emit('refund.failed', refund);
  return refund;
}

function setRefunded(world: World, charge: Charge, amount: number): void {
  charge.amount_refunded = amount;
  charge.refunded = amount === charge.amount;
  world.store.update(charge);
}

/** The successful charge of the payment intent that a caller names. */
function chargeOf(world: World, args: Args): Charge {
  const intentId = requiredText(args, 'payment_intent');
  if (!intentOf(world, intentId)) throw missing('payment_intent', intentId, 'payment_intent');
  const charge = world.store.childrenOf('charge', intentId).find(({ paid }) => paid);
  if (!charge)
    throw refused(`This PaymentIntent (${intentId}) does not have a successful charge to refund.`);
  return charge;
}

const money = (amount: number): string => `$${(amount / 100).toFixed(2)}`;

export function openDispute(world: World, args: Args): Dispute {
  const charge = chargeOf(world, args);
  if (charge.disputed) throw refused(`Charge ${charge.id} is already disputed.`);
  const dispute: Dispute = {
    id: randomId('du_1'),
    object: 'dispute',
    amount: charge.amount - charge.amount_refunded,
    charge: charge.id,
    created: seconds(world),
    currency: charge.currency,
    livemode: false,
    payment_intent: charge.payment_intent,
    status: 'needs_response',
  };
  charge.disputed = true;
  world.store.update(charge);
  world.store.insert(dispute, charge.payment_intent);
  world.emit('charge.dispute.created', dispute);
  return dispute;
}

export function closeDispute(world: World, id: string, status: 'won' | 'lost'): Dispute {
  const dispute = world.store.get('dispute', id);
  if (!dispute) throw missing('dispute', id);
  if (dispute.status !== 'needs_response')
    throw refused(`Dispute ${id} is already ${dispute.status}.`);
  dispute.status = status;
  world.store.update(dispute);
  world.emit('charge.dispute.closed', dispute, { status: 'needs_response' });
  return dispute;
}
