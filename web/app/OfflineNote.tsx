// Above a page of the dashboard while the browser has no network. Reads wait for it (TanStack Query
// pauses them), so a page may show outlines until then.
import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

export function OfflineNote() {
  const online = useSyncExternalStore(subscribe, isOnline, () => true);
  return online ? null : (
    <output className="alert alert-warning alert-soft mb-4 text-sm">
      No connection. What is missing loads when it is back.
    </output>
  );
}

const subscribe = (tell: () => void) => onlineManager.subscribe(tell);
const isOnline = () => onlineManager.isOnline();
