// The error catalogue: every error code of the API with its status and message. 401 and 403 sign
// the user out (specification, section 6), so errors of ordinary use have other statuses.

import type { Clash } from './clash.ts';
import { classClosed, classInReview } from './closed.ts';
import type { BasketLine, RefusedLine } from './lines.ts';

export const errors = {
  INVALID_INPUT: [400, 'Something in the request is not right.'],
  WRONG_HOST: [400, 'This server does not answer for that host.'],
  MALFORMED_JSON: [400, 'The request body is not valid JSON.'],
  EMAIL_MISMATCH: [400, 'The email must be that of your own account.'],
  ROLE_NOT_GIVEN: [400, "role can only be 'student': roles are given by an admin."],
  WRONG_PASSWORD: [400, 'The current password is not right.'],
  WRONG_CODE: [400, 'The code is not right, or was used already. Please take the next one.'],
  CODE_OVER: [400, 'This code no longer works. Ask for a new mail.'],
  SECOND_STEP_OVER: [400, 'The time for the code is over. Please sign in again.'],
  BAD_LINK: [400, 'This link was used already or has expired. Please ask for a new one.'],
  BAD_SIGNATURE: [400, 'The signature of this event does not match.'],
  UNAUTHENTICATED: [401, 'Please sign in.'],
  WRONG_CREDENTIALS: [401, 'The email or the password is not right.'],
  FORBIDDEN: [403, 'This is not for your account.'],
  NOT_FOUND: [404, 'There is nothing here.'],
  GOOGLE_NOT_SET_UP: [404, 'Sign-in with Google is not set up here.'],
  NOT_IN_CART: [404, 'This class is not in your cart.'],
  PAYMENT_UNKNOWN: [404, 'We know of no such payment of yours.'],
  COUPON_UNKNOWN: [404, 'This code is not known here, or is no longer valid.'],
  ALREADY_IN_CART: [409, 'This class is already in your cart.'],
  ALREADY_ENROLLED: [409, 'You are already enrolled in this class.'],
  SOLD_OUT: [409, 'No seat is left in this class.'],
  CART_FULL: [409, 'Your cart is full. Pay for or remove a class first.'],
  LAST_ADMIN: [409, 'There must always be an admin, and admins cannot demote themselves.'],
  EMAIL_NOT_CONFIRMED: [
    409,
    'Please confirm your address first: open the link in the mail that we sent you.',
  ],
  PASSWORD_NEEDED: [
    409,
    'Please type the password that you chose when you signed up, or choose a new one.',
  ],
  SECOND_STEP_ON: [409, 'Two-step sign-in is on already.'],
  SECOND_STEP_OFF: [409, 'Two-step sign-in is not on.'],
  ACCOUNT_BLOCKED: [409, 'This account is blocked. Write to the academy.'],
  OWN_ACCOUNT: [409, 'You cannot do this to your own account.'],
  HAS_ACCOUNT: [409, 'There is an account with this address already.'],
  ADDRESS_PROVEN: [409, 'This address is confirmed. Only its owner can change it.'],
  SIGN_IN_FIRST: [409, 'There is an account with this address. Please log in with it first.'],
  TEACHES_STUDENTS: [
    409,
    'Students are enrolled in your classes. Please ask an admin to hand these over to another instructor first.',
  ],
  NOT_AN_INSTRUCTOR: [409, 'A class can be handed over to an instructor only.'],
  CLASS_CHANGED: [409, 'This class was changed since you looked at it. Please look at it again.'],
  SEATS_BELOW_SOLD: [409, 'seat cannot be less than the seats already sold or being paid for.'],
  CLASS_CLOSED: [409, classClosed],
  CLASS_IN_REVIEW: [409, classInReview],
  ITEM_REQUIRED: [409, 'Several classes in your cart have this price. Say which one with itemId.'],
  PRICE_CHANGED: [
    409,
    'The price of this class has changed. Please look at the new price before you pay.',
  ],
  BASKET_REFUSED: [409, 'Not all of these classes can be had. Nothing was charged.'],
  TOTAL_CHANGED: [409, 'The total has changed. Please look at it before you pay.'],
  ALREADY_PAID: [409, 'This class has already been paid for.'],
  PAYMENT_RETURNED: [
    409,
    'You have no seat in this class. What you paid for it goes back to your card in full.',
  ],
  HOLD_EXPIRED: [409, 'The seat was held for you, but the time ran out. Please try again.'],
  TOO_MANY_HOLDS: [
    409,
    'You are paying for several classes already. Finish or remove one of them first.',
  ],
  PAYMENT_NOT_COMPLETED: [409, 'The payment is not completed yet.'],
  PAYMENT_MISMATCH: [409, 'These details do not belong to that payment.'],
  NOT_REFUNDABLE: [409, 'This payment cannot be refunded any more.'],
  PAYMENT_IN_PROGRESS: [409, 'A payment is under way. Please wait until it has ended.'],
  COUPON_USED_UP: [409, 'This code has been used as often as it may be.'],
  CODE_TAKEN: [409, 'There is such a code already.'],
  PLACE_TAKEN: [409, 'Another class has this place at that time.'],
  INSTRUCTOR_BUSY: [409, 'The instructor teaches another class at that time.'],
  DATES_CHANGED: [409, 'Somebody has changed these dates meanwhile. Please look again.'],
  CARE_CHANGED: [409, 'Other allergies and contacts were saved meanwhile. Please look at them.'],
  FAMILIES_BOOKED: [
    409,
    'Families have booked this class: a meeting can be moved or cancelled, not removed.',
  ],
  NAME_TAKEN: [409, 'There is such a place already.'],
  PLACE_IN_USE: [409, 'Meetings are planned here.'],
  CLASS_OVER: [409, 'This class has ended.'],
  WRONG_AGE: [409, 'This class is for other ages.'],
  BEING_PAID: [409, 'Another guardian is paying for this seat already.'],
  NOT_YOURS_TO_END: [409, 'Another guardian paid for this seat. Please ask them.'],
  CHILD_ENROLLED: [409, 'The child is enrolled in a class still to come.'],
  SEATS_AHEAD: [409, 'A seat in a class still to come must be given back first.'],
  LAST_GUARDIAN: [409, 'A child needs a guardian.'],
  PAID_SEAT_AHEAD: [409, 'This guardian paid for a seat still to come. Please ask the academy.'],
  NO_LONGER_FITS: [409, 'A booked class is for other ages.'],
  FAMILY_FULL: [409, 'At most 20 children can be added.'],
  ACADEMY_CHANGED: [
    409,
    'The settings were changed meanwhile. Please look at what changed, then save again.',
  ],
  CURRENCY_STAYS: [409, 'The currency cannot be changed after the first sale.'],
  SPORT_IN_USE: [409, 'A sport with classes or discounts can be renamed, not removed.'],
  PICTURES_FULL: [
    409,
    'You have stored 200 pictures. Those that nothing shows are deleted after a week.',
  ],
  ANNOUNCED_ENOUGH: [
    409,
    'Five announcements were sent to this class today. Please wait until tomorrow.',
  ],
  ENDED: [409, 'This seat has ended already.'],
  QUOTE_CHANGED: [409, 'The amount has changed meanwhile. Please look at it again.'],
  NOTHING_BACK: [409, 'Nothing comes back any more. Please look at it again.'],
  ASKED_ALREADY: [409, 'You have asked the academy already. Please wait for its answer.'],
  TOO_LITTLE_CREDIT: [409, 'There is not that much credit.'],
  CREDIT_LEFT: [409, 'There is credit left. Have it paid out first, or renounce it.'],
  SEATS_FREE: [409, 'There is a free seat: you can have it now.'],
  ALREADY_WAITING: [409, 'You are on the list of this class already.'],
  TOO_MANY_WAITS: [409, 'You are on twelve lists already. Leave one of them first.'],
  TOO_LATE: [409, 'The time for that is over.'],
  TOO_LARGE: [413, 'The request is too large.'],
  NOT_JSON: [415, 'The request body must be JSON.'],
  RATE_LIMITED: [429, 'Too many requests. Please wait a moment.'],
  INTERNAL: [500, 'Something went wrong on our side. Please try again.'],
  UNAVAILABLE: [503, 'The site is busy or restarting. Please try again in a moment.'],
  MAIL_DOWN: [
    503,
    'The mail server did not take the mail. Check SMTP_URL and MAIL_FROM, then try again.',
  ],
  GOOGLE_DOWN: [
    503,
    'Google does not answer. Please try again in a moment or sign in with your password.',
  ],
  PROVIDER_DOWN: [
    503,
    'The card service does not answer. Your seat is kept; please try again in a moment.',
  ],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof errors;

/** The body of every error. `field` names the field to correct. Some codes have more fields. */
export interface ErrorBody {
  error: true;
  code: ErrorCode;
  message: string;
  requestId: string;
  field?: string;
  price?: number;
  /** TOTAL_CHANGED: the total as it is now. */
  totalCents?: number;
  status?: string;
  clashes?: Clash[];
  /** ACADEMY_CHANGED: the settings that were changed since the version that was sent. */
  changed?: string[];
  /** SEATS_FREE: the class that has one. */
  classId?: string;
  /** BASKET_REFUSED: all lines that cannot be had. TOTAL_CHANGED: the lines as they are now. */
  lines?: (BasketLine | RefusedLine)[];
}
