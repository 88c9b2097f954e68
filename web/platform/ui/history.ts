// An extra entry of the history, of the same page: Back leads from it to the page itself, which stays.
// The router knows nothing of it. For what Back closes (BackCloses.ts) and for unsaved words
// (unsaved.ts).

export type Reason = 'unsaved' | 'over';

const reasonsOf = (state: unknown) => (state ?? {}) as Partial<Record<Reason, number>>;

/** How many entries for this reason lie below, with the present one. */
export const depthOf = (reason: Reason, state: unknown = history.state) =>
  reasonsOf(state)[reason] ?? 0;

export const pushExtra = (reason: Reason) =>
  history.pushState({ ...history.state, [reason]: depthOf(reason) + 1 }, '');

/** Nobody but the one who drops an entry hears of it. */
export const dropExtra = () =>
  new Promise<void>((resolve) => {
    const swallow = (event: PopStateEvent) => {
      event.stopImmediatePropagation();
      resolve();
    };
    addEventListener('popstate', swallow, { once: true, capture: true });
    history.back();
  });

/** The link that a plain click leads to another page by. */
export function linkOf(event: MouseEvent): HTMLAnchorElement | null {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const { ctrlKey, metaKey, shiftKey, altKey, button } = event;
  const isPlain = button === 0 && !(ctrlKey || metaKey || shiftKey || altKey);
  if (!link || !isPlain || link.target || link.download) return null;
  return link.origin === location.origin && link.pathname !== location.pathname ? link : null;
}
