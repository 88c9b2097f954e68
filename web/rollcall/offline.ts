// Registers the service worker, so that the roll call opens without a network. Only its page does.
import { useEffect, useState, useSyncExternalStore } from 'react';

/** True when the page can be opened without a network. */
export function useOpensOffline(): boolean {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    // Vite serves the app in development; there is no built worker then.
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return undefined;
    let shown = true;
    const options = { scope: '/dashboard/rollcall', updateViaCache: 'none' } as const;
    void navigator.serviceWorker
      .register('/sw.js', options)
      .then(() => navigator.serviceWorker.ready)
      .then(() => shown && setReady(true))
      // Without a network the registered worker goes on; without one the page needs the network.
      .catch(() => shown && setReady(navigator.serviceWorker.controller !== null));
    return () => {
      shown = false;
    };
  }, []);
  return ready;
}

function watchNetwork(onChange: () => void) {
  addEventListener('online', onChange);
  addEventListener('offline', onChange);
  return () => {
    removeEventListener('online', onChange);
    removeEventListener('offline', onChange);
  };
}

/** What the browser says. It knows of airplane mode, not of a network without an internet. */
export const useOnline = () => useSyncExternalStore(watchNetwork, () => navigator.onLine);
