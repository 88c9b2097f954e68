// The card element: a frame in the host page and its events. Part of /sandbox/stripe.js.
import { IntegrationError, at, dress, listen, makeFrame, nextName } from './wire.js';

const titles = {
  card: 'Secure card payment input frame',
  cardNumber: 'Secure card number input frame',
  cardExpiry: 'Secure expiration date input frame',
  cardCvc: 'Secure CVC input frame',
};

/** Methods for the sandbox's own code, hidden from the host page. */
const insides = new WeakMap();

/** Lets the element's frame create the payment method. */
export const createFrom = (element, billing) => insides.get(element).create(billing);

export const isElement = (value) => value instanceof CardElement;

class CardElement {
  #type;
  #options;
  #shared;
  #listeners = new Map();
  #container;
  #frame;
  #line;
  #ready = false;
  #waiting = new Map();
  #destroyed = false;
  #theme;
  #faded = (event) => {
    if (event.propertyName === 'background-color') this.#restyle();
  };

  constructor(type, options, shared) {
    this.#type = type;
    this.#options = options ?? {};
    this.#shared = shared;
    insides.set(this, {
      type,
      restyle: () => this.#restyle(),
      create: (billing) => this.#create(billing),
    });
  }

  mount(target) {
    const container = typeof target === 'string' ? document.querySelector(target) : target;
    if (this.#destroyed)
      throw new IntegrationError(
        'This Element has already been destroyed. Please create a new one.',
      );
    if (!(container instanceof window.Element)) {
      throw new IntegrationError(
        'Invalid DOM element specified to mount(). Please provide a valid DOM element or selector.',
      );
    }
    if (this.#container === container && this.#frame?.isConnected) return this;
    this.unmount();
    const name = nextName('element_');
    const query = new URLSearchParams({ id: name, kind: this.#type, group: this.#shared.group });
    const frame = makeFrame(at(`/sandbox/elements/card?${query}`), titles[this.#type], {
      height: '1.6em',
      transition: 'height 120ms',
    });
    frame.name = `__privateStripeFrame_${name}`;
    const holder = document.createElement('div');
    holder.className = '__PrivateStripeElement';
    dress(holder, {
      margin: '0',
      padding: '0',
      border: '0',
      display: 'block',
      background: 'transparent',
    });
    holder.append(frame);
    this.#container = container;
    this.#frame = frame;
    this.#line = listen(frame, name, (message) => this.#hear(message));
    // The page may switch to dark while the card is shown.
    this.#theme = new MutationObserver(() => this.#restyle());
    this.#theme.observe(document.documentElement, {
      attributes: true,
      attributeFilter: ['class', 'data-theme'],
    });
    document.addEventListener('transitionend', this.#faded);
    container.replaceChildren(holder);
    container.classList.add('StripeElement');
    this.#mark('empty', true);
    return this;
  }

  #hear({ type, change, height, request, result }) {
    if (type === 'hello') {
      this.#line.say('init', { key: this.#shared.key, options: this.#look() });
    }
    if (type === 'ready' && !this.#ready) {
      this.#ready = true;
      this.#emit('ready', { elementType: this.#type });
    }
    if (type === 'height' && height > 0) dress(this.#frame, { height: `${height}px` });
    if (type === 'change') {
      this.#mark('empty', change.empty);
      this.#mark('complete', change.complete);
      this.#mark('invalid', Boolean(change.error));
      this.#emit('change', change);
    }
    if (type === 'focus' || type === 'blur') {
      this.#mark('focus', type === 'focus');
      this.#emit(type, { elementType: this.#type });
    }
    if (type === 'escape') this.#emit('escape', { elementType: this.#type });
    if (type === 'enter') this.#container?.closest('form')?.requestSubmit();
    if (type === 'result') {
      this.#waiting.get(request)?.(result);
      this.#waiting.delete(request);
    }
  }

  #mark(name, on) {
    this.#container?.classList.toggle(
      this.#options.classes?.[name] ?? `StripeElement--${name}`,
      on,
    );
  }

  #emit(event, payload) {
    for (const handler of this.#listeners.get(event) ?? []) handler(payload);
  }

  unmount() {
    this.#line?.stop();
    this.#theme?.disconnect();
    document.removeEventListener('transitionend', this.#faded);
    this.#frame?.parentNode?.remove();
    for (const name of ['empty', 'complete', 'invalid', 'focus']) this.#mark(name, false);
    this.#container?.classList.remove('StripeElement');
    for (const settle of this.#waiting.values()) settle({ error: gone });
    this.#waiting.clear();
    this.#ready = false;
    this.#container = this.#frame = this.#line = this.#theme = undefined;
    return this;
  }

  destroy() {
    this.unmount();
    this.#destroyed = true;
    this.#shared.forget(this);
    return this;
  }

  update(options) {
    this.#options = { ...this.#options, ...options };
    this.#restyle();
    return this;
  }

  #restyle() {
    this.#line?.say('update', { options: this.#look() });
  }

  #look() {
    const ground = this.#container ? groundOf(this.#container) : undefined;
    return plain({ appearance: this.#shared.appearance, ...this.#options, ground });
  }

  focus() {
    this.#frame?.focus();
    this.#line?.say('focus');
    return this;
  }

  blur() {
    this.#line?.say('blur');
    this.#frame?.blur();
    return this;
  }

  clear() {
    this.#line?.say('clear');
    return this;
  }

  on(event, handler) {
    if (!this.#listeners.has(event)) this.#listeners.set(event, new Set());
    this.#listeners.get(event).add(handler);
    return this;
  }

  once(event, handler) {
    const first = (payload) => {
      this.off(event, first);
      handler(payload);
    };
    return this.on(event, first);
  }

  off(event, handler) {
    if (handler) this.#listeners.get(event)?.delete(handler);
    else this.#listeners.delete(event);
    return this;
  }

  addEventListener(event, handler) {
    return this.on(event, handler);
  }

  removeEventListener(event, handler) {
    return this.off(event, handler);
  }

  /** Lets the frame create the payment method: the number never passes through this page. */
  #create(billing) {
    if (!this.#ready) {
      throw new IntegrationError(
        'We could not retrieve data from the specified Element. Please make sure the Element you are attempting to use is still mounted.',
      );
    }
    const request = nextName('request_');
    return new Promise((resolve) => {
      this.#waiting.set(request, resolve);
      this.#line.say('create', { request, billing });
    });
  }
}

const gone = {
  type: 'validation_error',
  code: 'element_unmounted',
  message: 'The card form was closed.',
};

/** Options may contain functions or nodes of the host page; only data can be posted to a frame. */
const plain = (options) => JSON.parse(JSON.stringify(options));

/** The colour behind an element: in a transparent frame a contrast checker assumes white. */
function groundOf(node) {
  for (let at = node; at; at = at.parentElement) {
    const { backgroundColor, backgroundImage } = getComputedStyle(at);
    if (backgroundImage.includes('gradient')) return undefined;
    const alpha = /(?:\/|^rgba\(.*,)\s*([\d.]+)\)$/.exec(backgroundColor)?.[1] ?? '1';
    if (Number(alpha) === 1) return backgroundColor;
    // A half-transparent colour would be applied twice.
    if (Number(alpha) > 0) return undefined;
  }
  return undefined;
}

/** React passes its component instead of a name. */
const typeOf = (wanted) => (typeof wanted === 'string' ? wanted : wanted?.['__elementType']);

export function makeElements(key, options = {}) {
  const made = new Map();
  const shared = {
    key,
    group: nextName('group_'),
    appearance: options.appearance,
    forget: (element) => {
      const { type } = insides.get(element);
      if (made.get(type) === element) made.delete(type);
    },
  };
  return {
    create(wanted, elementOptions) {
      const type = typeOf(wanted);
      if (!(type in titles))
        throw new IntegrationError(
          `A valid Element name must be provided. The sandbox knows ${Object.keys(titles).join(', ')}.`,
        );
      if (made.has(type))
        throw new IntegrationError(
          `Can only create one Element of type ${type} through the same Elements.`,
        );
      const element = new CardElement(type, elementOptions, shared);
      made.set(type, element);
      return element;
    },
    getElement: (wanted) => made.get(typeOf(wanted)) ?? null,
    update(next) {
      shared.appearance = next.appearance ?? shared.appearance;
      for (const element of made.values()) insides.get(element).restyle();
    },
    submit: async () => ({}),
    fetchUpdates: async () => ({}),
  };
}
