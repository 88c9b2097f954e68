// Shows what alert.ts was told: one dialog at a time, toasts in a live region. Only the region
// belongs to the first load; what is said before the rest has arrived waits in alert.ts.
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { answerPlainly, watchMessages } from './alert.ts';

const load = () => import('./MessageParts.tsx');

export function Messages() {
  const parts = useParts();
  return (
    <>
      {parts && <parts.OpenDialog />}
      <Region>{parts && <parts.Toasts />}</Region>
    </>
  );
}

function useParts() {
  const [parts, setParts] = useState<Awaited<ReturnType<typeof load>> | null>(null);
  useEffect(() => {
    if (parts) return undefined;
    const get = () => void load().then(setParts, answerPlainly);
    get();
    // A chunk that did not arrive is asked for with the next message, and when we are online.
    addEventListener('online', get);
    const unwatch = watchMessages(get);
    return () => {
      removeEventListener('online', get);
      unwatch();
    };
  }, [parts]);
  return parts;
}

/** A popover is seen above a dialog. Always open: a live region must be known before it speaks. */
function Region({ children }: { children: ReactNode }) {
  const region = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const shown = region.current;
    shown?.showPopover();
    return () => shown?.hidePopover();
  }, []);
  return (
    <div
      ref={region}
      id="toasts"
      popover="manual"
      aria-live="polite"
      className="pointer-events-none fixed inset-auto top-18 right-4 m-0 max-w-[calc(100%-2rem)] overflow-visible bg-transparent text-base-content print:hidden"
    >
      {children}
    </div>
  );
}
