// Formats and validates card fields while a person types. The sandbox validates again.

const brands = [
  { brand: 'amex', begins: /^3[47]/, length: 15, groups: [4, 6, 5], cvc: 4 },
  { brand: 'visa', begins: /^4/, length: 16, groups: [4, 4, 4, 4], cvc: 3 },
  { brand: 'mastercard', begins: /^(5[1-5]|2[2-7])/, length: 16, groups: [4, 4, 4, 4], cvc: 3 },
  { brand: 'discover', begins: /^6(011|4|5)/, length: 16, groups: [4, 4, 4, 4], cvc: 3 },
];
const unknown = { brand: 'unknown', length: 16, groups: [4, 4, 4, 4, 3], cvc: 3 };

export const digitsOf = (text) => text.replaceAll(/\D/g, '');

export const kindOf = (number) => brands.find(({ begins }) => begins.test(number)) ?? unknown;

export function writeNumber(text) {
  const kind = kindOf(digitsOf(text));
  const digits = digitsOf(text).slice(0, kind === unknown ? 19 : kind.length);
  const parts = [];
  let at = 0;
  for (const size of kind.groups) {
    if (at < digits.length) parts.push(digits.slice(at, at + size));
    at += size;
  }
  return parts.join(' ');
}

/** Keeps the caret after the same digit when spaces move. */
export function caretAfter(text, digitsBefore) {
  let seen = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (seen === digitsBefore) return at;
    if (/\d/.test(text[at])) seen += 1;
  }
  return text.length;
}

export function writeExpiry(text, deleting) {
  // Browsers fill in 2030-05 or 05/2030.
  const iso = /^(\d{4})-(\d{1,2})$/.exec(text.trim());
  const whole = /^(\d{1,2})\s*[/-]\s*20(\d{2})$/.exec(text.trim());
  if (iso) return `${iso[2].padStart(2, '0')} / ${iso[1].slice(2)}`;
  if (whole) return `${whole[1].padStart(2, '0')} / ${whole[2]}`;
  let digits = digitsOf(text);
  if (/^[2-9]/.test(digits) || /^1\s*\//.test(text.trim())) digits = `0${digits}`;
  digits = digits.slice(0, 4);
  // The separator is inserted automatically, so a backspace on it must also delete the digit before
  // it.
  if (deleting && digits.length === 2 && !text.endsWith(' / ')) return digits.slice(0, 1);
  return digits.length < 2 ? digits : `${digits.slice(0, 2)} / ${digits.slice(2)}`;
}

export const writeCvc = (text, number) => digitsOf(text).slice(0, number ? kindOf(number).cvc : 4);

export function passesLuhn(number) {
  let sum = 0;
  for (const [index, digit] of number.split('').toReversed().entries()) {
    const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const verdict = (state, code, message) => ({
  state,
  error: code ? { type: 'validation_error', code, message } : undefined,
});
const empty = (code, message) => verdict('empty', code, message);
const incomplete = (code, message) => verdict('incomplete', code, message);
const invalid = (code, message) => verdict('invalid', code, message);

export const notForRealCards =
  'This is the sandbox: no real card works here. Use a test card such as 4242 4242 4242 4242.';

export function judgeNumber(text, testCards) {
  const number = digitsOf(text);
  const unfinished = ['incomplete_number', 'Your card number is incomplete.'];
  if (number === '') return empty(...unfinished);
  const kind = kindOf(number);
  const wrong = ['invalid_number', 'Your card number is invalid.'];
  if (number.length < kind.length) {
    return kind === unknown && number.length >= 4 ? invalid(...wrong) : incomplete(...unfinished);
  }
  if (!passesLuhn(number)) return invalid(...wrong);
  // A real card number is refused here, before it is sent anywhere.
  if (testCards && !testCards.has(number)) return invalid('test_mode_live_card', notForRealCards);
  return verdict('complete');
}

export function judgeExpiry(text, today) {
  const digits = digitsOf(text);
  const unfinished = ['incomplete_expiry', "Your card's expiration date is incomplete."];
  if (digits === '') return empty(...unfinished);
  const month = Number(digits.slice(0, 2));
  if (digits.length >= 2 && (month < 1 || month > 12)) {
    return invalid('invalid_expiry_month', "Your card's expiration month is invalid.");
  }
  if (digits.length < 4) return incomplete(...unfinished);
  const year = 2000 + Number(digits.slice(2));
  if (year < today.getFullYear()) {
    return invalid('invalid_expiry_year_past', "Your card's expiration year is in the past.");
  }
  if (year === today.getFullYear() && month < today.getMonth() + 1) {
    return invalid('invalid_expiry_month_past', "Your card's expiration date is in the past.");
  }
  if (year > today.getFullYear() + 50)
    return invalid('invalid_expiry_year', "Your card's expiration year is invalid.");
  return verdict('complete');
}

export function judgeCvc(text, number) {
  const unfinished = ['incomplete_cvc', "Your card's security code is incomplete."];
  if (text === '') return empty(...unfinished);
  return text.length < (number ? kindOf(number).cvc : 3)
    ? incomplete(...unfinished)
    : verdict('complete');
}
