// Requests of the host page's script to the sandbox, and messages to its frames. Part of
// /sandbox/stripe.js. Card numbers never come to this page. Styles are set through the DOM, for
// strict content policies.

export const source =
  document.currentScript?.src || new URL('/sandbox/stripe.js', location.href).href;
export const at = (path) => new URL(path, source).href;
const frameOrigin = new URL(source).origin;

export class IntegrationError extends Error {
  name = 'IntegrationError';
}

let count = 0;
export const nextName = (prefix) =>
  `${prefix}${(count += 1)}_${Math.random().toString(36).slice(2, 10)}`;

/** { a: { b: 1 } } as a[b]=1, the encoding of Stripe's API. */
export function flat(value, prefix = '', into = {}) {
  for (const [name, part] of Object.entries(value ?? {})) {
    if (part === undefined || part === null) continue;
    const path = prefix ? `${prefix}[${name}]` : name;
    if (typeof part === 'object') flat(part, path, into);
    else into[path] = String(part);
  }
  return into;
}

export async function ask(method, path, params) {
  const form = new URLSearchParams(flat(params));
  const url = at(`/sandbox/v1/${path}`);
  try {
    const response = await (method === 'GET'
      ? fetch(`${url}?${form}`, { credentials: 'omit', cache: 'no-store' })
      : fetch(url, { method, body: form, credentials: 'omit', cache: 'no-store' }));
    return await response.json();
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

export const dress = (node, styles) => Object.assign(node.style, styles);

export function makeFrame(src, title, styles) {
  const frame = document.createElement('iframe');
  frame.src = src;
  frame.title = title;
  // Its page is always light; a frame that differs from its page would be painted opaque.
  dress(frame, {
    border: '0',
    margin: '0',
    padding: '0',
    display: 'block',
    width: '100%',
    colorScheme: 'light',
    ...styles,
  });
  return frame;
}

/** Calls back for messages of this frame only. */
export function listen(frame, name, onMessage) {
  const hear = (event) => {
    if (
      event.origin !== frameOrigin ||
      event.source !== frame.contentWindow ||
      event.data?.sandbox !== name
    )
      return;
    onMessage(event.data);
  };
  window.addEventListener('message', hear);
  return {
    say: (type, data = {}) =>
      frame.contentWindow?.postMessage({ ...data, sandbox: name, type }, frameOrigin),
    stop: () => window.removeEventListener('message', hear),
  };
}
