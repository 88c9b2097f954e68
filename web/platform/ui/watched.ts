// A value outside of React that components follow.
import { useSyncExternalStore } from 'react';

export function watched<T>(initial: T) {
  let now = initial;
  const watchers = new Set<() => void>();
  const read = () => now;
  const write = (next: T) => {
    now = next;
    for (const watcher of watchers) watcher();
  };
  const watch = (watcher: () => void) => {
    watchers.add(watcher);
    return () => void watchers.delete(watcher);
  };
  /** On the server, and until the page is hydrated, what it was at first. */
  const useNow = () => useSyncExternalStore(watch, read, () => initial);
  return { read, write, watch, useNow };
}
