// Where the focus goes when the element that had it leaves the page or is disabled. Without this it
// falls to the page, and a keyboard user starts at the top again.

/**
 * Not what has `data-focus-last`: a link that leads away from a row whose buttons are used one after
 * another, and a button that a second press of the key must not reach.
 */
const canHaveFocus =
  ':is(a[href], button:not(:disabled)):not([data-focus-last]), input, select, textarea, [tabindex="0"]';

/**
 * Remembers where an element is. The result gives the focus back to it, or to the nearest thing
 * that is still there, and once more if the page is drawn without it at once.
 */
export function rememberPlace(element: Element | null): () => void {
  const give = giverOf(element);
  return () => {
    give();
    // The page is told of new data right after the dialog that waited for it has closed.
    setTimeout(() => {
      if (document.activeElement === document.body) give();
    });
  };
}

/** After an action that may remove or disable the element: once the focus is lost, it is given. */
export async function keepFocus(element: Element | null, action: () => Promise<unknown>) {
  const give = giverOf(element);
  await action();
  await whileDrawnAnew(element, give);
}

/** To the element, its row, the rows around it, its section, or the content of the page. */
function giverOf(element: Element | null): () => void {
  const row = element?.closest('tr, li');
  const section = element?.closest('section');
  const near = [row, row?.nextElementSibling, row?.previousElementSibling];
  return () => {
    const targets = [
      element,
      ...near.map((place) => place?.querySelector(canHaveFocus)),
      section?.querySelector('h2[tabindex]'),
      section?.querySelector(canHaveFocus),
      document.getElementById('content'),
    ];
    targets.some((target) => {
      if (!(target instanceof HTMLElement) || target === document.body) return false;
      // The browser may go on naming it as the holder of the focus.
      if (target.matches(':disabled')) return false;
      target.focus({ preventScroll: target.id === 'content' });
      return document.activeElement === target;
    });
  };
}

/** The page is drawn anew within a few frames of an answer. */
async function whileDrawnAnew(element: Element | null, give: () => void) {
  for (let frame = 0; frame < 20; frame += 1) {
    await new Promise(requestAnimationFrame);
    const holder = document.activeElement;
    if (holder === element && element?.isConnected && !element.matches(':disabled')) continue;
    if (holder && holder !== document.body && holder !== element) return;
    give();
    return;
  }
}
