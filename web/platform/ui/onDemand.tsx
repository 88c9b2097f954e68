// Parts of a page that are loaded when they are shown. A dialog: the library for forms weighs more
// than the pages whose dialogs need it. A part of the page itself: one that few visits need.
import { type ComponentType, type ReactNode, useCallback, useEffect, useState } from 'react';
import { notArrived } from './alert.ts';
import { ErrorNote } from './States.tsx';

function loadedOnce<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let known: ComponentType<Props> | null = null;
  return function useLoaded(waits: boolean, onFail: () => void) {
    const [Loaded, setLoaded] = useState(() => known);
    useEffect(() => {
      if (Loaded || !waits) return undefined;
      let isShown = true;
      const arrive = async () => {
        try {
          const found = (known = await load());
          if (isShown) setLoaded(() => found);
        } catch {
          if (isShown) onFail();
        }
      };
      void arrive();
      return () => {
        isShown = false;
      };
    }, [Loaded, waits, onFail]);
    return Loaded;
  };
}

export function onDemand<Props extends { onClose: () => void }>(
  load: () => Promise<ComponentType<Props>>,
) {
  const useLoaded = loadedOnce(load);
  return function OnDemand(props: Props) {
    const { onClose } = props;
    const giveUp = useCallback(() => {
      onClose();
      notArrived();
    }, [onClose]);
    const Loaded = useLoaded(true, giveUp);
    return Loaded && <Loaded {...props} />;
  };
}

/** Shows `waiting` in its place until it has arrived, and another try when it does not. */
export function partOnDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode,
) {
  const useLoaded = loadedOnce(load);
  return function PartOnDemand(props: Props) {
    const [failed, setFailed] = useState(false);
    const fail = useCallback(() => setFailed(true), []);
    const Loaded = useLoaded(!failed, fail);
    if (Loaded) return <Loaded {...props} />;
    if (!failed) return waiting;
    return (
      <ErrorNote
        message="Part of this page did not arrive. Check your connection and try again."
        onRetry={() => setFailed(false)}
      />
    );
  };
}
