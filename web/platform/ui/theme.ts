// Dark or light: remembered under `theme` (specification, section 2), by default what the system
// prefers. The pre-paint script (server.tsx) has set it before anything was drawn.
import { useSyncExternalStore } from 'react';

export type Theme = 'dark' | 'light';

const watchers = new Set<() => void>();

export const theme = (): Theme =>
  document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light';

export function setTheme(next: Theme) {
  localStorage.setItem('theme', next);
  show(next);
}

function show(next: Theme) {
  document.documentElement.dataset.theme = next;
  for (const watcher of watchers) watcher();
}

function otherTab(event: StorageEvent) {
  if (event.key === 'theme' && event.newValue) show(event.newValue === 'dark' ? 'dark' : 'light');
}

function watch(watcher: () => void) {
  watchers.add(watcher);
  addEventListener('storage', otherTab);
  return () => {
    watchers.delete(watcher);
    removeEventListener('storage', otherTab);
  };
}

/** The theme on screen; null while the page is as the server made it, who cannot know. */
export const useTheme = () => useSyncExternalStore<Theme | null>(watch, theme, () => null);
