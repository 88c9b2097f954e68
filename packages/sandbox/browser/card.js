// The card frame: the only page that has a card number. It sends the number to the sandbox and
// tells the page around it only "complete", the brand, an error, or the finished payment method.
import {
  caretAfter,
  digitsOf,
  judgeCvc,
  judgeExpiry,
  judgeNumber,
  kindOf,
  writeCvc,
  writeExpiry,
  writeNumber,
} from './fields.js';

const query = new URLSearchParams(location.search);
const id = query.get('id');
const group = query.get('group');
const kind = query.get('kind') ?? 'card';
const shown = { cardNumber: ['number'], cardExpiry: ['expiry'], cardCvc: ['cvc'] }[kind] ?? [
  'number',
  'expiry',
  'cvc',
];

const form = document.querySelector('#card');
const brand = document.querySelector('#brand');
const inputs = {};
for (const label of document.querySelectorAll('[data-field]')) {
  const name = label.dataset.field;
  if (shown.includes(name)) inputs[name] = label.querySelector('input');
  else label.remove();
}
if (kind !== 'card') form.classList.add('single');
form.dataset.kind = kind;
if (!inputs.number) brand.classList.add('away');
const order = shown.map((name) => inputs[name]);

let key = '';
let testCards;
let settings = {};
let last = '';
/** Fields that were left or submitted: only then is an unfinished one an error. */
const left = new Set();

const say = (type, data = {}) =>
  window.parent.postMessage({ ...data, sandbox: id, type }, location.origin);

const values = () =>
  Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value]));

function judge(all = values()) {
  const number = digitsOf(all.number ?? '');
  return {
    ...('number' in all ? { number: judgeNumber(all.number, testCards) } : {}),
    ...('expiry' in all ? { expiry: judgeExpiry(all.expiry, new Date()) } : {}),
    ...('cvc' in all ? { cvc: judgeCvc(all.cvc, number) } : {}),
  };
}

function refresh() {
  const verdicts = judge();
  let error;
  for (const [name, { state, error: problem }] of Object.entries(verdicts)) {
    const bad =
      state === 'invalid' || (left.has(name) && (state === 'incomplete' || state === 'empty'));
    inputs[name].setAttribute('aria-invalid', String(bad));
    inputs[name].classList.toggle('complete', state === 'complete');
    if (bad) error ??= problem;
  }
  const states = Object.values(verdicts).map(({ state }) => state);
  const known = inputs.number ? kindOf(digitsOf(inputs.number.value)).brand : undefined;
  const change = {
    elementType: kind,
    empty: states.every((state) => state === 'empty'),
    complete: states.every((state) => state === 'complete'),
    error,
    ...(known ? { brand: known } : {}),
    ...(kind === 'card' ? { value: { postalCode: '' } } : {}),
  };
  if (known) showBrand(known, verdicts.number.state === 'invalid');
  const now = JSON.stringify(change);
  if (now !== last) {
    last = now;
    say('change', { change });
  }
}

function showBrand(name, wrong) {
  brand.querySelector('use').setAttribute('href', `#${wrong ? 'error' : name}`);
  brand.classList.toggle('error', wrong);
  brand.setAttribute('aria-label', `Card brand: ${name}`);
}

const writers = {
  number: (text) => writeNumber(text),
  expiry: (text, deleting) => writeExpiry(text, deleting),
  cvc: (text) => writeCvc(text, digitsOf(inputs.number?.value ?? '')),
};

for (const [name, input] of Object.entries(inputs)) {
  input.addEventListener('input', (event) => {
    const deleting = event.inputType?.startsWith('delete') ?? false;
    const caret = input.selectionStart ?? input.value.length;
    const atEnd = caret === input.value.length;
    const before = digitsOf(input.value.slice(0, caret)).length;
    input.value = writers[name](input.value, deleting);
    const place = atEnd ? input.value.length : caretAfter(input.value, before);
    input.setSelectionRange(place, place);
    if (name === 'number' && inputs.cvc) inputs.cvc.value = writers.cvc(inputs.cvc.value);
    left.delete(name);
    refresh();
    if (!deleting && atEnd && judge()[name].state === 'complete') {
      order[order.indexOf(input) + 1]?.focus();
    }
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Backspace' && input.value === '') {
      const previous = order[order.indexOf(input) - 1];
      if (previous) {
        event.preventDefault();
        previous.focus();
      }
    }
    if (event.key === 'Escape') say('escape');
    if (event.key === 'Enter') {
      event.preventDefault();
      say('enter');
    }
  });
  input.addEventListener('blur', () => {
    if (input.value !== '') left.add(name);
    refresh();
  });
}

form.addEventListener('submit', (event) => event.preventDefault());
let focused = false;
const noticeFocus = () =>
  // Moving between the fields is not a blur of the element, so wait for the new focus.
  setTimeout(() => {
    const now = document.hasFocus() && order.includes(document.activeElement);
    if (now !== focused) say(now ? 'focus' : 'blur');
    focused = now;
  });
document.addEventListener('focusin', noticeFocus);
document.addEventListener('focusout', noticeFocus);
window.addEventListener('blur', noticeFocus);
// A click outside the fields focuses the first unfinished one.
document.addEventListener('mousedown', (event) => {
  if (event.target instanceof HTMLInputElement) return;
  event.preventDefault();
  focusFirst();
});

function focusFirst() {
  const verdicts = judge();
  const name = shown.find((field) => verdicts[field].state !== 'complete') ?? shown.at(-1);
  window.focus();
  inputs[name].focus();
}

function apply(options) {
  settings = { ...settings, ...options };
  const {
    style = {},
    appearance = {},
    disabled = false,
    hideIcon = false,
    showIcon,
    placeholder,
  } = settings;
  const { base = {}, invalid = {}, complete = {} } = style;
  const { variables = {}, theme } = appearance;
  const night =
    theme === 'night' ? { color: '#f1f5f9', placeholder: '#94a3b8', invalid: '#fca5a5' } : {};
  const properties = {
    '--ground': base.backgroundColor ?? settings.ground,
    '--color': base.color ?? variables.colorText ?? night.color,
    '--placeholder':
      base['::placeholder']?.color ?? variables.colorTextPlaceholder ?? night.placeholder,
    '--focus': base[':focus']?.color,
    '--icon': base.iconColor ?? variables.colorIcon,
    '--font': base.fontFamily ?? variables.fontFamily,
    '--size': base.fontSize ?? variables.fontSizeBase,
    '--weight': base.fontWeight ?? variables.fontWeightNormal,
    '--letters': base.letterSpacing,
    '--line': base.lineHeight ?? variables.fontLineHeight,
    '--complete': complete.color,
    '--invalid': invalid.color ?? variables.colorDanger ?? night.invalid,
    '--invalid-icon': invalid.iconColor,
  };
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) document.documentElement.style.removeProperty(name);
    else document.documentElement.style.setProperty(name, String(value));
  }
  // For tests: the colours applied last.
  document.documentElement.dataset.look = `${properties['--color']} on ${properties['--ground']}`;
  brand.classList.toggle('away', !inputs.number || hideIcon || showIcon === false);
  for (const input of order) {
    input.disabled = disabled;
    if (placeholder && kind !== 'card') input.placeholder = placeholder;
  }
}

async function createPaymentMethod(billing) {
  const all = { ...siblings(), ...values() };
  const problem = Object.values(judge(all)).find(({ state }) => state !== 'complete');
  if (problem) {
    for (const name of shown) left.add(name);
    refresh();
    return { error: problem.error };
  }
  const expiry = digitsOf(all.expiry ?? '');
  const body = new URLSearchParams({
    key,
    type: 'card',
    'card[number]': digitsOf(all.number ?? ''),
    'card[exp_month]': expiry.slice(0, 2),
    'card[exp_year]': expiry.slice(2),
    'card[cvc]': all.cvc ?? '',
    ...billing,
  });
  try {
    const response = await fetch('/sandbox/v1/payment_methods', {
      method: 'POST',
      body,
      credentials: 'omit',
    });
    const answer = await response.json();
    return answer.error ? { error: answer.error } : { paymentMethod: answer };
  } catch {
    return {
      error: {
        type: 'api_connection_error',
        message:
          'An error occurred with our connection to the card sandbox. Check your connection and try again.',
      },
    };
  }
}

/**
 * With one frame per field, the frame with the number collects the others: frame to frame, not
 * through the page.
 */
function siblings() {
  const found = {};
  if (kind === 'card') return found;
  for (let at = 0; at < window.parent.frames.length; at += 1) {
    try {
      const other = window.parent.frames[at].cardField;
      if (other?.group === group) Object.assign(found, other.values());
    } catch {
      // A frame of another origin is not ours.
    }
  }
  return found;
}
if (kind !== 'card') window.cardField = { group, values };

window.addEventListener('message', (event) => {
  if (
    event.origin !== location.origin ||
    event.source !== window.parent ||
    event.data?.sandbox !== id
  )
    return;
  const { type, options, request, billing } = event.data;
  if (type === 'init') {
    key = event.data.key;
    apply(options);
    void readTestCards();
    say('ready');
    refresh();
  }
  if (type === 'update') apply(options);
  if (type === 'focus') focusFirst();
  if (type === 'blur') document.activeElement?.blur();
  if (type === 'clear') {
    for (const input of order) input.value = '';
    left.clear();
    refresh();
  }
  if (type === 'create') {
    void createPaymentMethod(billing).then((result) => say('result', { request, result }));
  }
});

async function readTestCards() {
  try {
    const { data } = await (await fetch('/sandbox/test_cards', { credentials: 'omit' })).json();
    testCards = new Set(data.map(({ number }) => number));
    refresh();
  } catch {
    // Then only the sandbox can tell test cards from others.
  }
}

new ResizeObserver(() =>
  say('height', { height: Math.ceil(form.getBoundingClientRect().height) }),
).observe(form);
say('hello');
