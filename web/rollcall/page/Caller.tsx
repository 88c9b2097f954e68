// Who calls the roll: the user of the session or, while the server does not answer, the one who
// opened the roll call on this phone last. Around both pages, with the queue of that user's marks.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from 'react';
import { Navigate, useLocation } from 'react-router';
import { markRefusals } from '../../../contract/rollcall/marks.ts';
import { getRoster, sendMarks } from '../../../contract/rollcall/rollcall.ts';
import { ApiError, send } from '../../platform/api/send.ts';
import { tokenOwner } from '../../platform/api/token.ts';
import { useOnline, useOpensOffline } from '../offline.ts';
import { createQueue, type Queue, type QueueState } from '../queue.ts';
import type { Me } from '../rows.ts';
import * as store from '../store.ts';
import { paths } from '../../platform/paths.ts';
import { markRollCallUsed } from '../../people/session/phone.ts';
import { useSession } from '../../people/session/SessionProvider.tsx';
import { ErrorNote, PageSkeleton } from '../../platform/ui/States.tsx';

interface Calling {
  me: Me;
  queue: Queue;
  marks: QueueState;
  /** The browser has a network, and the last try to send reached the server. */
  connected: boolean;
  /** The page can be opened without a network. */
  opensOffline: boolean;
}

const CallingContext = createContext<Calling | null>(null);

export function useCalling(): Calling {
  const calling = useContext(CallingContext);
  if (!calling) throw new Error('The roll call needs its Caller.');
  return calling;
}

export function Caller({ children }: { children: ReactNode }) {
  const { state, user, role, retryRole } = useSession();
  const from = useLocation();
  const { data: kept, isPending } = useQuery({
    queryKey: ['kept person'],
    queryFn: () => store.readPerson().catch(() => null),
    networkMode: 'always',
    staleTime: Infinity,
    gcTime: 0,
  });
  if (state === 'out') return <Navigate to={paths.login} state={{ from }} replace />;
  if (role === 'student') return <Navigate to={paths.home} state={{ from }} replace />;
  const me = role ? user : (!user || user.id === kept?.id) && kept;
  if (me)
    return (
      <CallerIs key={me.id} id={me.id} name={me.name}>
        {children}
      </CallerIs>
    );
  return retryRole && !isPending ? <ErrorNote onRetry={retryRole} /> : <PageSkeleton />;
}

let queue: { of: string; queue: Queue } | null = null;

/** One for each user, however often the pages are opened. */
function queueOf(userId: string, onSent: () => void): Queue {
  if (queue?.of !== userId)
    queue = {
      of: userId,
      queue: createQueue({
        userId,
        store,
        // An answer that does not come must not hold up the next try.
        send: (marks) => send(sendMarks, { marks }, { signal: AbortSignal.timeout(20_000) }),
        statusOf: (error) => (error instanceof ApiError ? error.status : 0),
        wordsOf: (reason) => (reason ? markRefusals[reason] : 'The server cannot read this mark.'),
        // Another user may have signed in, in another tab.
        maySend: () => tokenOwner() === userId,
        onSent,
      }),
    };
  return queue.queue;
}

function CallerIs({ id, name, children }: Me & { children: ReactNode }) {
  const client = useQueryClient();
  const own = queueOf(id, () => void client.invalidateQueries({ queryKey: [getRoster.id] }));
  const marks = useSyncExternalStore(own.watch, own.read);
  const online = useOnline();
  const opensOffline = useOpensOffline();
  useEffect(() => {
    markRollCallUsed();
    const sweep = () => void store.sweep(id).catch(() => null);
    sweep();
    const timer = setInterval(sweep, 60_000);
    void own.start().catch(() => null);
    return () => {
      clearInterval(timer);
      own.stop();
    };
  }, [id, own]);
  const connected = online && marks.failed !== 'no network';
  const calling = useMemo(
    () => ({ me: { id, name }, queue: own, marks, connected, opensOffline }),
    [id, name, own, marks, connected, opensOffline],
  );
  return <CallingContext value={calling}>{children}</CallingContext>;
}
