// Under the header of every page: words when there is no network, or no answer for a while, with
// another try. What is known stays on the page.
import { onlineManager, type Query, useIsFetching, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { reach } from '../platform/api/send.ts';
import { paths } from '../platform/paths.ts';
import { Button } from '../platform/ui/Button.tsx';
import { Note } from '../platform/ui/Note.tsx';

const patience = 3_000;

export function Connection() {
  const { pathname } = useLocation();
  // The roll call works without a network, and says so itself.
  return pathname.startsWith(paths.dashboard.rollCall) ? null : <Words />;
}

function Words() {
  const client = useQueryClient();
  const online = useSyncExternalStore(
    (tell) => onlineManager.subscribe(tell),
    () => onlineManager.isOnline(),
    () => true,
  );
  const slow = useSlow();
  const [trying, setTrying] = useState(false);
  if (online && !slow) return null;
  const again = async () => {
    setTrying(true);
    const answered = await reach(location.origin, { method: 'HEAD', cache: 'no-store' }).catch(
      () => null,
    );
    // Some browsers say that they are offline when they are not.
    if (answered) onlineManager.setOnline(true);
    await client.refetchQueries({ type: 'active', stale: true });
    setTrying(false);
  };
  return (
    <Note
      tone="warn"
      announced="politely"
      className="fixed inset-x-4 bottom-20 z-50 mx-auto max-w-xl shadow-xl print:hidden"
      action={
        <Button look="outline" size="small" busy={trying} onClick={() => void again()}>
          Try again
        </Button>
      }
    >
      <p>
        {online
          ? 'No answer yet. We are still trying.'
          : 'No connection. What is missing loads when it is back.'}
      </p>
    </Note>
  );
}

const isMissing = (query: Query) => query.isActive() && query.state.data === undefined;

/** Something that the page needs has not come for three seconds. */
function useSlow(): boolean {
  const waits = useIsFetching({ predicate: isMissing }) > 0;
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!waits) return undefined;
    const timer = setTimeout(() => setSlow(true), patience);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [waits]);
  return slow;
}
