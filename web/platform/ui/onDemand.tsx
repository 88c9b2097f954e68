// Parts of a page that are loaded when they are shown. A dialog: the library for forms weighs more than
// the pages whose dialogs need it. A part of the page itself: one that few visits need.
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { notArrived } from './alert.ts';
import { ErrorNote } from './States.tsx';

interface DialogProps {
  onClose: () => void;
}

export function onDemand<Props extends DialogProps>(load: () => Promise<ComponentType<Props>>) {
  let known: ComponentType<Props> | null = null;
  return function OnDemand(props: Props) {
    const [Loaded, setLoaded] = useState(() => known);
    const { onClose } = props;
    useEffect(() => {
      if (Loaded) return undefined;
      let isShown = true;
      const arrive = async () => {
        try {
          const found = (known = await load());
          if (isShown) setLoaded(() => found);
        } catch {
          if (!isShown) return;
          onClose();
          notArrived();
        }
      };
      void arrive();
      return () => {
        isShown = false;
      };
    }, [Loaded, onClose]);
    return Loaded && <Loaded {...props} />;
  };
}

/** Shows `waiting` in its place until it has arrived, and another try when it does not. */
export function partOnDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode,
) {
  let known: ComponentType<Props> | null = null;
  return function PartOnDemand(props: Props) {
    const [Loaded, setLoaded] = useState(() => known);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (Loaded || failed) return undefined;
      let isShown = true;
      const arrive = async () => {
        try {
          const found = (known = await load());
          if (isShown) setLoaded(() => found);
        } catch {
          if (isShown) setFailed(true);
        }
      };
      void arrive();
      return () => {
        isShown = false;
      };
    }, [Loaded, failed]);
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
