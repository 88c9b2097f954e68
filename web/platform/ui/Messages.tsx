// Shows what alert.ts was told: one dialog at a time, and the toasts in a live region. Mounted
// once, in App.tsx. Only the region belongs to the first load. What is said before the other parts
// have arrived waits for them in alert.ts.
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
    // A chunk that did not arrive is asked for again with the next message and when the connection
    // is back.
    addEventListener('online', get);
    const unwatch = watchMessages(get);
    return () => {
      removeEventListener('online', get);
      unwatch();
    };
  }, [parts]);
  return parts;
}

/**
 * A popover, because only the top layer is seen above an open dialog. It is always open and mostly
 * empty: screen readers announce what is added to a live region that they already know.
 */
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
