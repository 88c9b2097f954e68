// Asks before a page with unsaved words is left: by a link, by Back and Forward, by a reload. The
// router has no way to hold a navigation back, so the event is taken before the router gets it.
import { useEffect } from 'react';
import { ask } from './alert.ts';

/** While a navigation that the user has agreed to goes on. */
let isAgreed = false;

const agreed = (go: () => void) => {
  isAgreed = true;
  go();
};

const mayLeave = () =>
  ask({
    title: 'Leave without saving?',
    text: 'What you typed on this page is not saved.',
    yes: 'Leave',
    no: 'Stay',
    danger: true,
  });

export function useUnsaved(isUnsaved: boolean) {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    isAgreed = false;
    const guard = guardOf(location.pathname);
    // Taken on the way down: React and the router listen on the way up.
    document.addEventListener('click', guard.click, true);
    addEventListener('popstate', guard.pop, true);
    addEventListener('beforeunload', guard.unload);
    return () => {
      document.removeEventListener('click', guard.click, true);
      removeEventListener('popstate', guard.pop, true);
      removeEventListener('beforeunload', guard.unload);
    };
  }, [isUnsaved]);
}

function guardOf(pathname: string) {
  const here = positionOf(history.state);
  let returning = false;
  return {
    click: (event: MouseEvent) => {
      if (isAgreed || !isPlain(event) || !(event.target instanceof Element)) return;
      const link = event.target.closest('a');
      if (
        !link ||
        link.target ||
        link.download ||
        link.origin !== location.origin ||
        link.pathname === pathname
      )
        return;
      event.preventDefault();
      event.stopImmediatePropagation();
      void mayLeave().then((yes) => yes && agreed(() => link.click()));
    },
    pop: (event: PopStateEvent) => {
      if (returning) {
        returning = false;
        event.stopImmediatePropagation();
        return;
      }
      const there = positionOf(event.state);
      if (isAgreed || location.pathname === pathname || here === null || there === null) return;
      event.stopImmediatePropagation();
      // The address has changed already: back to the one of the page that is still shown.
      returning = true;
      history.go(here - there);
      void mayLeave().then((yes) => yes && agreed(() => history.go(there - here)));
    },
    unload: (event: BeforeUnloadEvent) => {
      if (!isAgreed) event.preventDefault();
    },
  };
}

const isPlain = ({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;

/** The router numbers the entries of the history. */
function positionOf(state: unknown): number | null {
  const { idx } = (state ?? {}) as { idx?: unknown };
  return typeof idx === 'number' ? idx : null;
}
