// Goes through a page with the Tab key, from its first stop until the focus returns. It reports
// what a pointer can use and the keyboard cannot, and where the focus is not visible.
import type { Page } from '@playwright/test';

/** What is wrong with the page, in words; empty is good. */
export async function walk(page: Page): Promise<{ stops: number; complaints: string[] }> {
  const walker = await page.evaluateHandle(prepare);
  // From the document's beginning, wherever the focus was: what had it last and is gone leaves it
  // there.
  await page.evaluate(() => {
    const start = document.createElement('button');
    document.body.prepend(start);
    start.focus();
    start.remove();
  });
  const most = (await walker.evaluate((w) => w.expected())) + 35;
  let steps = 0;
  for (; steps < most; steps += 1) {
    await page.keyboard.press('Tab');
    if (await walker.evaluate((w) => w.step())) break;
  }
  return {
    stops: steps,
    complaints: await walker.evaluate((w, ended) => w.complaints(ended), steps < most),
  };
}

/** Runs in the page, to which this function is sent alone: what it uses must be in it. */
/* oxlint-disable unicorn/consistent-function-scoping */
function prepare() {
  // Styles are read as they end up, not on their way there.
  const still = new CSSStyleSheet();
  still.replaceSync(
    '*, ::before, ::after { transition: none !important; animation: none !important }',
  );
  document.adoptedStyleSheets.push(still);

  const native =
    'a[href], button, input, select, textarea, summary, iframe, [tabindex]:not([tabindex^="-"])';
  const found: string[] = [];
  const visited: Element[] = [];
  const all = [...document.querySelectorAll('body *')];
  const looks = new Map(all.map((element) => [element, look(element)]));
  const usable = new Set(all.filter(isUsable).map(controlOf).filter(isUsable));

  function isShown(element: Element): boolean {
    const { width, height } = element.getBoundingClientRect();
    return (
      width > 0 &&
      height > 0 &&
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    );
  }

  /**
   * Whether a pointer could do something here: by nature, by a listener of React's, or because the
   * cursor promises it.
   */
  function isUsable(element: Element): boolean {
    if (element.matches(':disabled, [type=hidden], [inert] *') || !isShown(element)) return false;
    if (element.matches(`${native}, button, label`)) return true;
    // A dialog's own click is the backdrop; its key is Escape.
    // Every root of React's has an empty listener.
    if (element.matches('dialog, #root') || element.closest(`${native}, button, label`))
      return false;
    const key = Object.keys(element).find((name) => name.startsWith('__reactProps'));
    const props = key
      ? (element as unknown as Record<string, Record<string, unknown>>)[key]
      : undefined;
    if (props?.['onClick'] ?? (element as HTMLElement).onclick) return true;
    const cursor = (of: Element | null) => of && getComputedStyle(of).cursor;
    return cursor(element) === 'pointer' && cursor(element.parentElement) !== 'pointer';
  }

  function controlOf(element: Element): Element {
    return element instanceof HTMLLabelElement ? (element.control ?? element) : element;
  }

  function look(element: Element): string {
    const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor } =
      getComputedStyle(element);
    const outline =
      outlineStyle === 'none' || outlineWidth === '0px'
        ? 'none'
        : `${outlineWidth} ${outlineColor}`;
    return [outline, boxShadow, borderColor].join(' / ');
  }

  function nameOf(element: Element): string {
    const words = element.getAttribute('aria-label') ?? (element as HTMLElement).innerText ?? '';
    return `<${element.tagName.toLowerCase()}> ${words.replace(/\s+/g, ' ').trim().slice(0, 40) || element.id}`;
  }

  /** The two neighbours under the parent that both stops share. */
  function forks(a: Element, b: Element): [Element, Element] | null {
    const line = (of: Element): Element[] =>
      of.parentElement ? [...line(of.parentElement), of] : [of];
    const [ofA, ofB] = [line(a), line(b)];
    const at = ofA.findIndex((element, depth) => element !== ofB[depth]);
    const [one, other] = [ofA[at], ofB[at]];
    return one && other ? [one, other] : null;
  }

  function isBackwards(from: Element, to: Element): boolean {
    if (!(from.compareDocumentPosition(to) & Node.DOCUMENT_POSITION_FOLLOWING)) return true;
    const pair = forks(from, to)?.map((element) => element.getBoundingClientRect());
    const [a, b] = pair ?? [];
    if (!a || !b || a.height * b.height === 0) return false;
    const sameRow = a.top < b.bottom && b.top < a.bottom;
    return b.bottom <= a.top || (sameRow && b.right <= a.left);
  }

  /** Nothing lies over its first line: neither the screen's edge nor a header that stays. */
  function isCovered(element: Element): boolean {
    const box = element.getClientRects()[0];
    if (!box) return true;
    const top = document.elementFromPoint(
      box.left + Math.min(box.width / 2, 40),
      box.top + Math.min(box.height / 2, 12),
    );
    return (
      !top ||
      !(
        element.contains(top) ||
        top.contains(element) ||
        controlOf(top.closest('label') ?? top) === element
      )
    );
  }

  return {
    expected: () => usable.size,
    /** True when the round is done. */
    step: () => {
      const stop = document.activeElement;
      const before = visited.at(-1);
      if (!stop || stop === document.body) return true;
      // Inside a frame, and among the parts of a date or a time, the keys are the browser's affair.
      if (stop === before && stop.matches('iframe, [type=date], [type=time]')) return false;
      if (stop === before) found.push(`trap: ${nameOf(stop)}`);
      if (visited.includes(stop)) return true;
      visited.push(stop);
      if (!isShown(stop)) found.push(`unseen: ${nameOf(stop)}`);
      else if (isCovered(stop)) found.push(`covered: ${nameOf(stop)}`);
      if (before && isBackwards(before, stop))
        found.push(`order: ${nameOf(before)} then ${nameOf(stop)}`);
      const shows = [stop, stop.parentElement].some(
        (element) => element && look(element) !== looks.get(element),
      );
      if (!shows && !(stop instanceof HTMLIFrameElement))
        found.push(`no focus ring: ${nameOf(stop)}`);
      return false;
    },
    complaints: (ended: boolean) => [
      ...found,
      ...(ended ? [] : ['endless']),
      ...[...usable]
        .filter((element) => !visited.includes(element))
        .map((element) => `unreached: ${nameOf(element)}`),
    ],
  };
}
