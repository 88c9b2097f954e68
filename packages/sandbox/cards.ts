// The test cards, the behaviour of each, and the checks of every card. The number stays in this
// file: only brand, last four digits, expiry and behaviour leave it.
import { declined, missingParam } from './errors.ts';
import type { ErrorBody, Refusal } from './errors.ts';
import { group, integer, text } from './form.ts';
import type { Args } from './form.ts';

export interface Behaviour {
  /** A challenge must be passed before the bank is asked. */
  challenge?: true;
  decline?: keyof typeof declines;
  refund?: 'pending' | 'fails';
  dispute?: true;
}

export interface Card {
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  /** Whether a security code was given; the code itself is not stored. */
  checked: boolean;
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
  behaviour: Behaviour;
  says: string;
  token?: string;
}

const works = (token?: string): TestCard => ({
  behaviour: {},
  says: 'Succeeds',
  ...(token ? { token } : {}),
});

const testCards: Record<string, TestCard> = {
  '4242424242424242': works('visa'),
  '4000056655665556': works('visa_debit'),
  '5555555555554444': works('mastercard'),
  '2223003122003222': works(),
  '5200828282828210': works('mastercard_debit'),
  '378282246310005': works('amex'),
  '6011111111111117': works('discover'),
  '4000000000000002': {
    behaviour: { decline: 'generic' },
    says: 'Declined',
    token: 'visa_chargeDeclined',
  },
  '4000000000009995': {
    behaviour: { decline: 'funds' },
    says: 'Declined: insufficient funds',
    token: 'visa_chargeDeclinedInsufficientFunds',
  },
  '4000000000009987': {
    behaviour: { decline: 'lost' },
    says: 'Declined: lost',
    token: 'visa_chargeDeclinedLostCard',
  },
  '4000000000009979': {
    behaviour: { decline: 'stolen' },
    says: 'Declined: stolen',
    token: 'visa_chargeDeclinedStolenCard',
  },
  '4100000000000019': {
    behaviour: { decline: 'fraud' },
    says: 'Declined: blocked as fraud',
    token: 'radarBlock',
  },
  '4000000000000069': {
    behaviour: { decline: 'expired' },
    says: 'Declined: expired',
    token: 'chargeDeclinedExpiredCard',
  },
  '4000000000000127': {
    behaviour: { decline: 'cvc' },
    says: 'Declined: wrong CVC',
    token: 'chargeDeclinedIncorrectCvc',
  },
  '4000000000000119': {
    behaviour: { decline: 'processing' },
    says: 'Declined: processing error',
    token: 'chargeDeclinedProcessingError',
  },
  '4000002500003155': {
    behaviour: { challenge: true },
    says: 'Asks for authentication',
    token: 'authenticationRequired',
  },
  '4000002760003184': {
    behaviour: { challenge: true },
    says: 'Asks for authentication',
    token: 'authenticationRequiredOnSetup',
  },
  '4000000000003220': {
    behaviour: { challenge: true },
    says: 'Asks for authentication',
    token: 'threeDSecure2Required',
  },
  '4000008400001629': {
    behaviour: { challenge: true, decline: 'generic' },
    says: 'Asks for authentication, then declined',
    token: 'threeDSecureRequiredChargeDeclined',
  },
  '4000000000000259': {
    behaviour: { dispute: true },
    says: 'Succeeds, then disputed',
    token: 'createDispute',
  },
  '4000000000007726': {
    behaviour: { refund: 'pending' },
    says: 'Succeeds; a refund stays pending for a while',
    token: 'pendingRefund',
  },
  '4000000000005126': {
    behaviour: { refund: 'fails' },
    says: 'Succeeds; a refund fails later',
    token: 'refundFail',
  },
};

/** What may be shown to people and checked in the browser before a number is sent. */
export const shownCards = () =>
  Object.entries(testCards).map(([number, { says }]) => ({ number, says }));

export function readCard(args: Args, now: Date, param: string): Card {
  const token = text(args, 'token', `${param}[token]`);
  if (token) {
    const card = cardOfToken(token.replace(/^tok_/, ''), now);
    if (card) return card;
  }
  const number = text(args, 'number', `${param}[number]`)?.replaceAll(/[\s-]/g, '');
  if (!number) throw missingParam(`${param}[number]`);
  const found = testCards[number];
  if (!/^\d{12,19}$/.test(number) || (!found && !passesLuhn(number))) {
    throw wrong('Your card number is incorrect.', 'incorrect_number', 'number');
  }
  if (!found) {
    throw wrong(
      'This is the sandbox: no real card works here. Use a test card such as 4242 4242 4242 4242.',
      'card_declined',
      'number',
      'test_mode_live_card',
    );
  }
  const { expMonth, expYear } = readExpiry(args, now, param);
  const cvc = text(args, 'cvc', `${param}[cvc]`);
  if (cvc !== undefined && !/^\d{3,4}$/.test(cvc)) {
    throw wrong("Your card's security code is invalid.", 'invalid_cvc', 'cvc');
  }
  return {
    brand: brandOf(number),
    last4: number.slice(-4),
    expMonth,
    expYear,
    checked: cvc !== undefined,
    behaviour: found.behaviour,
  };
}

function readExpiry(args: Args, now: Date, param: string): { expMonth: number; expYear: number } {
  const expMonth = integer(args, 'exp_month', `${param}[exp_month]`);
  const year = integer(args, 'exp_year', `${param}[exp_year]`);
  if (expMonth === undefined) throw missingParam(`${param}[exp_month]`);
  if (year === undefined) throw missingParam(`${param}[exp_year]`);
  if (expMonth < 1 || expMonth > 12) {
    throw wrong("Your card's expiration month is invalid.", 'invalid_expiry_month', 'exp_month');
  }
  const expYear = year >= 0 && year < 100 ? 2000 + year : year;
  const thisYear = now.getUTCFullYear();
  if (expYear < thisYear || expYear > thisYear + 50) {
    throw wrong("Your card's expiration year is invalid.", 'invalid_expiry_year', 'exp_year');
  }
  if (expYear === thisYear && expMonth < now.getUTCMonth() + 1) {
    throw wrong('Your card has expired.', 'expired_card', 'exp_month');
  }
  return { expMonth, expYear };
}

/** Stripe's predefined methods such as `pm_card_visa`, for tests of a server. */
export function cardOfToken(token: string, now: Date): Card | undefined {
  // Stripe has some of them with and without the brand in the name.
  const found = Object.entries(testCards).find(
    ([, card]) =>
      card.token &&
      [card.token, `visa_${card.token}`, card.token.replace(/^visa_/, '')].includes(token),
  );
  if (!found) return undefined;
  const [number, { behaviour }] = found;
  return {
    brand: brandOf(number),
    last4: number.slice(-4),
    expMonth: now.getUTCMonth() + 1,
    expYear: now.getUTCFullYear() + 1,
    checked: true,
    behaviour,
  };
}

const wrong = (message: string, code: string, param: string, decline_code?: string): Refusal =>
  declined(message, { code, param, ...(decline_code ? { decline_code } : {}) });

function passesLuhn(number: string): boolean {
  let sum = 0;
  for (const [index, digit] of number.split('').toReversed().entries()) {
    const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function brandOf(number: string): string {
  if (number.startsWith('4')) return 'visa';
  if (/^(5[1-5]|2[2-7])/.test(number)) return 'mastercard';
  if (/^3[47]/.test(number)) return 'amex';
  return 'discover';
}

/** The parameters for comparing and hashing: without the number and the security code. */
export function withoutCard(args: Args): Args {
  const blanked = blankCard(args);
  const data = group(blanked, 'payment_method_data');
  return data ? { ...blanked, payment_method_data: blankCard(data) } : blanked;
}

function blankCard(args: Args): Args {
  const card = args['card'];
  if (typeof card !== 'object' || Array.isArray(card)) return args;
  const number = typeof card['number'] === 'string' ? card['number'].slice(-4) : '';
  return { ...args, card: { ...card, number, cvc: '' } };
}
