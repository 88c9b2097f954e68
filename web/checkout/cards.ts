// The card provider in the browser: Stripe.js, or the sandbox's stand-in of the same shape when no
// key is set; and the few steps by which a card pays. Never import a value from '@stripe/stripe-js'
// itself: its main entry loads the provider's script at once, on every page.
import type {
  PaymentIntentResult,
  Stripe,
  StripeCardElement,
  StripeConstructor,
} from '@stripe/stripe-js';

let loading: Promise<Stripe> | null = null;

/** Loaded once for the life of the page; a failed load may be tried again. */
export function loadCards(cards: { publishableKey: string; sandbox: boolean }): Promise<Stripe> {
  loading ??= (
    cards.sandbox ? loadSandbox(cards.publishableKey) : loadReal(cards.publishableKey)
  ).catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function loadReal(key: string): Promise<Stripe> {
  const { loadStripe } = await import('@stripe/stripe-js/dist/pure.mjs');
  return there(await loadStripe(key));
}

async function loadSandbox(key: string): Promise<Stripe> {
  await new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = '/sandbox/stripe.js';
    script.addEventListener('load', resolve);
    script.addEventListener('error', () => {
      script.remove();
      reject(new Error(outOfReach));
    });
    document.head.append(script);
  });
  const { Stripe: create } = window as { Stripe?: StripeConstructor };
  return there(create ? create(key) : null);
}

const outOfReach = 'The card form could not be loaded. Please check your connection.';

function there(stripe: Stripe | null): Stripe {
  if (!stripe) throw new Error(outOfReach);
  return stripe;
}

/** What became of a payment, as the provider tells it. */
export type Outcome =
  /** No card has been charged and none is being asked. */
  | { is: 'open' }
  | { is: 'paid'; transactionId: string }
  /** The provider's words, for the buyer. Nothing was charged: no bank was asked, or it said no. */
  | { is: 'refused'; message: string }
  /** The bank's question was left unanswered. */
  | { is: 'unanswered' }
  | { is: 'processing' }
  /** Cancelled before the card was charged: the seat's time ran out, or the class was denied. */
  | { is: 'over' }
  /** No answer at all: it may or may not have been paid. */
  | { is: 'unknown' };

/**
 * Asks the provider before anything else is done: after a reload or a lost answer the money may
 * have moved already.
 */
export async function look(stripe: Stripe, secret: string): Promise<Outcome> {
  try {
    const { paymentIntent } = await stripe.retrievePaymentIntent(secret);
    return paymentIntent ? read(paymentIntent) : { is: 'unknown' };
  } catch {
    return { is: 'unknown' };
  }
}

type Intent = NonNullable<PaymentIntentResult['paymentIntent']>;

function read(intent: Intent): Outcome {
  switch (intent.status) {
    case 'succeeded':
      return { is: 'paid', transactionId: intent.id };
    case 'processing':
      return { is: 'processing' };
    case 'requires_action':
      return { is: 'unanswered' };
    case 'canceled':
      return { is: 'over' };
    default:
      return { is: 'open' };
  }
}

/**
 * Section 7: a payment method of type card, then the card payment confirmed with the billing name
 * and email.
 */
export async function pay(
  stripe: Stripe,
  secret: string,
  card: StripeCardElement,
  billing: { name: string; email: string },
): Promise<Outcome> {
  const before = await look(stripe, secret);
  if (before.is === 'paid' || before.is === 'processing' || before.is === 'over') return before;
  const method = await quietly(
    stripe.createPaymentMethod({ type: 'card', card, billing_details: billing }),
  );
  if (!method) return { is: 'refused', message: noAnswer };
  if (method.error) return { is: 'refused', message: words(method.error) };
  return settle(
    stripe,
    secret,
    stripe.confirmCardPayment(secret, { payment_method: method.paymentMethod.id }),
  );
}

/** Takes up the bank's question again after a reload. */
export function goOn(stripe: Stripe, secret: string): Promise<Outcome> {
  return settle(stripe, secret, stripe.handleNextAction({ clientSecret: secret }));
}

const noAnswer = 'The card service did not answer. You can safely try again.';

async function settle(
  stripe: Stripe,
  secret: string,
  asked: Promise<Pick<PaymentIntentResult, 'paymentIntent' | 'error'>>,
): Promise<Outcome> {
  const result = await quietly(asked);
  if (result?.paymentIntent) return read(result.paymentIntent);
  const told = result?.error;
  if (told?.type === 'card_error' || told?.type === 'validation_error')
    return { is: 'refused', message: words(told) };
  // A lost answer, or the payment was in another state than we thought: the provider knows.
  const now = await look(stripe, secret);
  if (now.is !== 'open')
    return told && now.is === 'unanswered' ? { is: 'refused', message: words(told) } : now;
  return { is: 'refused', message: told ? words(told) : noAnswer };
}

/** Null when there was no answer at all. */
const quietly = <T>(asked: Promise<T>): Promise<T | null> => asked.catch(() => null);

/** Always a string, never an object: the page shows it as it is. */
const words = (error: { message?: string }): string =>
  error.message ?? 'The card was not accepted. Please try another one.';
