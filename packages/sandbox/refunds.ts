// Refunds and disputes.
import { intentOf } from './demo.ts';
import { badParam, missing, missingParam, refused } from './errors.ts';
import { integer, mergeMetadata, oneOf, onlyKnown, text } from './form.ts';
import type { Args } from './form.ts';
import { behaviourOf } from './methods.ts';
import type { Charge, Dispute, Refund } from './objects.ts';
import { randomId, seconds } from './world.ts';
import type { Call, World } from './world.ts';

const reasons = ['duplicate', 'fraudulent', 'requested_by_customer'] as const;

export function createRefund(world: World, { args }: Call): Refund {
  onlyKnown(args, [
    'payment_intent',
    'charge',
    'amount',
    'reason',
    'metadata',
    'instructions_email',
    'origin',
  ]);
  const asked = integer(args, 'amount');
  const reason = oneOf(args, 'reason', reasons);
  const metadata = mergeMetadata({}, args);
  const charge = chargeToRefund(world, text(args, 'payment_intent'), text(args, 'charge'));
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
      {
        param: 'amount',
      },
    );
  }
  const method = world.store.get('payment_method', charge.payment_method);
  const behaviour = method ? behaviourOf(world, method).refund : undefined;
  const refund: Refund = {
    id: randomId('re_3'),
    object: 'refund',
    amount,
    balance_transaction: randomId('txn_3'),
    charge: charge.id,
    created: seconds(world),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: {
      card: {
        reference_status: 'pending',
        reference_type: 'acquirer_reference_number',
        type: 'refund',
      },
      type: 'card',
    },
    metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: behaviour === 'pending' ? 'pending' : 'succeeded',
    transfer_reversal: null,
  };
  world.store.insert(refund, charge.payment_intent);
  setRefunded(world, charge, charge.amount_refunded + amount);
  world.emit('refund.created', refund);
  world.emit('charge.refunded', charge);
  if (behaviour)
    world.later(3000, behaviour === 'fails' ? 'refund_fails' : 'refund_succeeds', refund.id);
  return refund;
}

export function retrieveRefund(world: World, { id }: Call): Refund {
  const refund = world.store.get('refund', id);
  if (!refund) throw missing('refund', id);
  return refund;
}

export function updateRefund(world: World, call: Call): Refund {
  onlyKnown(call.args, ['metadata']);
  const refund = retrieveRefund(world, call);
  refund.metadata = mergeMetadata(refund.metadata, call.args);
  world.store.update(refund);
  world.emit('refund.updated', refund);
  return refund;
}

/** The bank's late result of a refund: a pending one succeeds, or any one is returned. */
export function endRefund(world: World, id: string, status: 'succeeded' | 'failed'): Refund {
  const refund = retrieveRefund(world, { id, args: {}, key: 'secret' });
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
  world.emit('charge.refund.updated', refund, previous);
  if (status === 'failed') world.emit('refund.failed', refund);
  return refund;
}

function setRefunded(world: World, charge: Charge, amount: number): void {
  charge.amount_refunded = amount;
  charge.refunded = amount === charge.amount;
  world.store.update(charge);
}

function chargeToRefund(
  world: World,
  intentId: string | undefined,
  chargeId: string | undefined,
): Charge {
  if (chargeId) {
    const charge = world.store.get('charge', chargeId);
    if (!charge) throw missing('charge', chargeId, 'charge');
    if (!charge.paid) throw refused(`Charge ${charge.id} is not paid; cannot issue a refund.`);
    return charge;
  }
  if (!intentId) throw missingParam('charge');
  if (!intentOf(world, intentId)) throw missing('payment_intent', intentId, 'payment_intent');
  const charge = world.store.childrenOf('charge', intentId).find(({ paid }) => paid);
  if (!charge)
    throw refused(`This PaymentIntent (${intentId}) does not have a successful charge to refund.`);
  return charge;
}

const money = (amount: number): string => `$${(amount / 100).toFixed(2)}`;

export function openDispute(world: World, chargeId: string, reason = 'fraudulent'): Dispute {
  const charge = world.store.get('charge', chargeId);
  if (!charge?.paid) throw missing('charge', chargeId, 'charge');
  if (charge.disputed) throw refused(`Charge ${charge.id} is already disputed.`);
  const dispute: Dispute = {
    id: randomId('du_1'),
    object: 'dispute',
    amount: charge.amount - charge.amount_refunded,
    balance_transactions: [],
    charge: charge.id,
    created: seconds(world),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {},
    evidence_details: {
      due_by: seconds(world) + 7 * 86_400,
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status: 'needs_response',
  };
  charge.disputed = true;
  world.store.update(charge);
  world.store.insert(dispute, charge.payment_intent);
  world.emit('charge.dispute.created', dispute);
  world.emit('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

export function closeDispute(world: World, id: string, status: 'won' | 'lost'): Dispute {
  const dispute = retrieveDispute(world, { id, args: {}, key: 'secret' });
  if (dispute.status !== 'needs_response')
    throw refused(`Dispute ${id} is already ${dispute.status}.`);
  dispute.status = status;
  world.store.update(dispute);
  if (status === 'won') world.emit('charge.dispute.funds_reinstated', dispute);
  world.emit('charge.dispute.closed', dispute, { status: 'needs_response' });
  return dispute;
}

export function retrieveDispute(world: World, { id }: Call): Dispute {
  const dispute = world.store.get('dispute', id);
  if (!dispute) throw missing('dispute', id);
  return dispute;
}

export function retrieveCharge(world: World, { id }: Call): Charge {
  const charge = world.store.get('charge', id);
  if (!charge) throw missing('charge', id);
  return charge;
}

/** The charge a test control names, directly or by its payment intent. */
export function namedCharge(world: World, args: Args): string {
  return chargeToRefund(world, text(args, 'payment_intent'), text(args, 'charge')).id;
}
