// The shapes of Stripe's objects, as far as the sandbox stores them.
import type { Metadata } from './form.ts';

export interface Thing {
  id: string;
  object: Kind;
  created: number;
}

export interface Kinds {
  payment_method: Method;
  payment_intent: Intent;
  charge: Charge;
  refund: Refund;
  dispute: Dispute;
  event: Event;
}
export type Kind = keyof Kinds;

/** Further fields are constant, and sent as they were made. */
interface Constant {
  [field: string]: unknown;
}

export interface Method extends Thing, Constant {
  object: 'payment_method';
  billing_details: { email: string | null; name: string | null };
  card: { brand: string; last4: string };
}

export interface PaymentError extends Constant {
  type: string;
  message: string;
}

export interface Intent extends Thing, Constant {
  object: 'payment_intent';
  amount: number;
  client_secret: string;
  currency: string;
  last_payment_error: PaymentError | null;
  latest_charge: string | null;
  metadata: Metadata;
  next_action: { type: 'use_stripe_sdk'; use_stripe_sdk: Record<string, string> } | null;
  payment_method: string | null;
  status:
    | 'requires_payment_method'
    | 'requires_confirmation'
    | 'requires_action'
    | 'processing'
    | 'succeeded'
    | 'canceled';
}

export interface Charge extends Thing, Constant {
  object: 'charge';
  amount: number;
  amount_refunded: number;
  currency: string;
  disputed: boolean;
  paid: boolean;
  payment_intent: string;
  payment_method: string;
  refunded: boolean;
}

export interface Refund extends Thing, Constant {
  object: 'refund';
  amount: number;
  charge: string;
  failure_reason?: string;
  metadata: Metadata;
  payment_intent: string;
  status: 'pending' | 'succeeded' | 'failed';
}

export interface Dispute extends Thing, Constant {
  object: 'dispute';
  status: 'needs_response' | 'won' | 'lost';
}

export interface Event extends Thing {
  object: 'event';
  api_version: string;
  data: { object: Thing; previous_attributes?: object };
  livemode: false;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
}
