// A dialog that is loaded when it is opened: the library for forms weighs more than the pages whose
// dialogs need it.
import { type ComponentType, useEffect, useState } from 'react';
import { notArrived } from './alert.ts';

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
