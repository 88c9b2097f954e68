// Drawn with a sheet, a dialog or a menu: Back closes it, and the page below it stays.
import { useEffectEvent, useLayoutEffect } from 'react';
import { depthOf, dropExtra, linkOf, pushExtra } from './history.ts';

export function BackCloses({ onBack }: { onBack: () => void }) {
  const close = useEffectEvent(onBack);
  // Before it is seen: Back may come at once.
  useLayoutEffect(() => {
    pushExtra('over');
    const depth = depthOf('over');
    const onPop = (event: PopStateEvent) => {
      if (depthOf('over', event.state) >= depth) return;
      // The router and the page have nothing to do.
      event.stopImmediatePropagation();
      close();
    };
    /** A link in it leads on from the page, not from the extra entry. */
    const onClick = (event: MouseEvent) => {
      const link = linkOf(event);
      if (!link || depthOf('over') !== depth) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      // It would take this step back for its own, and the link would never hear of it.
      removeEventListener('popstate', onPop, true);
      void dropExtra().then(() => link.click());
    };
    addEventListener('popstate', onPop, true);
    addEventListener('click', onClick, true);
    return () => {
      removeEventListener('popstate', onPop, true);
      removeEventListener('click', onClick, true);
      // What closes it may lead to another page at once: then the entry is no longer the present one.
      setTimeout(() => {
        if (depthOf('over') === depth) void dropExtra();
      });
    };
  }, []);
  return null;
}
