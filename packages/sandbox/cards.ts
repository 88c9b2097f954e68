// The test cards and the behaviour of each. The number stays in this file: only brand, last four
// digits and behaviour leave it.
import { declined, type ErrorBody } from './errors.ts';
import { type Args, requiredText } from './form.ts';

export interface Behaviour {
  /** A challenge must be passed before the bank is asked. */
  challenge?: true;
  decline?: keyof typeof declines;
  refund?: 'pending';
}

export interface Card {
  brand: string;
  last4: string;
  behaviour: Behaviour;
}

type Decline = Pick<ErrorBody, 'message' | 'code' | 'decline_code' | 'param'>;

const plainDecline = (decline_code: string, message = 'Your card was declined.'): Decline => ({
  message,
  code: 'card_declined',
  decline_code,
});

export const declines = {
  generic: plainDecline('generic_decline'),
  funds: plainDecline('insufficient_funds', 'Your card has insufficient funds.'),
  lost: plainDecline('lost_card'),
  stolen: plainDecline('stolen_card'),
  fraud: plainDecline('fraudulent'),
  expired: {
    message: 'Your card has expired.',
    code: 'expired_card',
    decline_code: 'expired_card',
    param: 'exp_month',
  },
  cvc: {
    message: "Your card's security code is incorrect.",
    code: 'incorrect_cvc',
    decline_code: 'incorrect_cvc',
    param: 'cvc',
  },
  processing: {
    message: 'An error occurred while processing your card. Try again in a little bit.',
    code: 'processing_error',
    decline_code: 'processing_error',
  },
} satisfies Record<string, Decline>;

interface TestCard {
  says: string;
  token: string;
  behaviour: Behaviour;
}

const card = (says: string, token: string, behaviour: Behaviour = {}): TestCard => ({
  says,
  token,
  behaviour,
});
const asks = 'Asks for authentication';

const testCards: Record<string, TestCard> = {
  '4242424242424242': card('Succeeds', 'visa'),
  '4000056655665556': card('Succeeds', 'visa_debit'),
  '5555555555554444': card('Succeeds', 'mastercard'),
  '2223003122003222': card('Succeeds', ''),
  '5200828282828210': card('Succeeds', 'mastercard_debit'),
  '378282246310005': card('Succeeds', 'amex'),
  '6011111111111117': card('Succeeds', 'discover'),
  '4000000000000002': card('Declined', 'visa_chargeDeclined', { decline: 'generic' }),
  '4000000000009995': card('Declined: insufficient funds', 'visa_chargeDeclinedInsufficientFunds', {
    decline: 'funds',
  }),
  '4000000000009987': card('Declined: lost', 'visa_chargeDeclinedLostCard', { decline: 'lost' }),
  '4000000000009979': card('Declined: stolen', 'visa_chargeDeclinedStolenCard', {
    decline: 'stolen',
  }),
  '4100000000000019': card('Declined: blocked as fraud', 'radarBlock', { decline: 'fraud' }),
  '4000000000000069': card('Declined: expired', 'chargeDeclinedExpiredCard', {
    decline: 'expired',
  }),
  '4000000000000127': card('Declined: wrong CVC', 'chargeDeclinedIncorrectCvc', { decline: 'cvc' }),
  '4000000000000119': card('Declined: processing error', 'chargeDeclinedProcessingError', {
    decline: 'processing',
  }),
  '4000002500003155': card(asks, 'authenticationRequired', { challenge: true }),
  '4000002760003184': card(asks, 'authenticationRequiredOnSetup', { challenge: true }),
  '4000000000003220': card(asks, 'threeDSecure2Required', { challenge: true }),
  '4000008400001629': card(`${asks}, then declined`, 'threeDSecureRequiredChargeDeclined', {
    challenge: true,
    decline: 'generic',
  }),
  '4000000000007726': card('Succeeds; a refund stays pending for a while', 'pendingRefund', {
    refund: 'pending',
  }),
};

/** What may be shown to people and checked in the browser before a number is sent. */
export const shownCards = () =>
  Object.entries(testCards).map(([number, { says }]) => ({ number, says }));

/** What else can be wrong with a card is said by its form (browser/fields.js). */
export function readCard(args: Args): Card {
  const number = requiredText(args, 'number').replaceAll(/[\s-]/g, '');
  const found = testCards[number];
  if (!found)
    throw declined(
      'This is the sandbox: no real card works here. Use a test card such as 4242 4242 4242 4242.',
      { code: 'card_declined', param: 'number', decline_code: 'test_mode_live_card' },
    );
  return cardOf(number, found);
}

/** Stripe's predefined methods such as `pm_card_visa`, for tests of a server. */
export function cardOfToken(token: string): Card | undefined {
  const found = Object.entries(testCards).find(([, card]) => card.token === token);
  return found && cardOf(...found);
}

const cardOf = (number: string, { behaviour }: TestCard): Card => ({
  brand: brandOf(number),
  last4: number.slice(-4),
  behaviour,
});

function brandOf(number: string): string {
  if (number.startsWith('4')) return 'visa';
  if (/^(5[1-5]|2[2-7])/.test(number)) return 'mastercard';
  if (/^3[47]/.test(number)) return 'amex';
  return 'discover';
}

/** The parameters for comparing and hashing: without the number and the security code. */
export function withoutCard(args: Args): Args {
  const given = args['card'];
  if (typeof given !== 'object' || Array.isArray(given)) return args;
  const number = typeof given['number'] === 'string' ? given['number'].slice(-4) : '';
  return { ...args, card: { ...given, number, cvc: '' } };
}
