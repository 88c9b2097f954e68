// useLiveSeats(): the seats on this page follow the sales while it is open. Without JavaScript, or
// when the stream cannot be had, the page works as before.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** The stream is not part of the first load. */
export function useLiveSeats(): void {
  const client = useQueryClient();
  useEffect(() => {
    let gone = false;
    let stop: (() => void) | undefined;
    const start = async () => {
      const { watchSeats } = await import('./stream.ts');
      if (!gone) stop = watchSeats(client);
    };
    start().catch(() => undefined);
    return () => {
      gone = true;
      stop?.();
    };
  }, [client]);
}
