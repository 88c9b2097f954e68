// What the server cannot know and the browser finds at once: whether scripts run yet, and what only
// the browser holds.
import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** False in the server's HTML and until the page is hydrated. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

/** Read in the browser only; `before` is what the server draws. */
export const useInBrowser = <T extends string | boolean | null>(read: () => T, before: T) =>
  useSyncExternalStore(never, read, () => before);
