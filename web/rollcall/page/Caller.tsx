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
  useState,
} from 'react';
import { Navigate, useLocation } from 'react-router';
import { getRoster, sendMarks } from '../../../contract/rollcall/rollcall.ts';
import { send } from '../../platform/api/send.ts';
import { tokenOwner } from '../../platform/api/token.ts';
import { createQueue, type Queue, type QueueState } from '../queue.ts';
import type { Me } from '../rows.ts';
import * as store from '../store.ts';
import { readName, type Refused } from '../store.ts';
import { paths } from '../../platform/paths.ts';
import { markRollCallUsed } from '../../people/session/phone.ts';
import { useSession } from '../../people/session/SessionProvider.tsx';
import { ErrorNote, PageSkeleton } from '../../platform/ui/States.tsx';
import { momentOf } from '../../platform/ui/dates.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { type AnyIcon, Icon } from '../../platform/ui/Icon.tsx';
import { noNetwork } from './icons.ts';

interface Calling {
  me: Me;
  queue: Queue;
  marks: QueueState;
  /** The browser has a network, and the last try to send reached the server. */
  connected: boolean;
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

function useOpensOffline(): boolean {
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
const useOnline = () => useSyncExternalStore(watchNetwork, () => navigator.onLine);

/** `always`: the list of meetings says it with a network, too. */
export function Waiting({ always = false }: { always?: boolean }) {
  const { marks, queue, connected } = useCalling();
  const count = marks.marks.length;
  const wait = count === 1 ? '1 mark waits on this phone' : `${count} marks wait on this phone`;
  let bar: readonly [AnyIcon, string] | null = null;
  if (!connected) bar = [noNetwork, count > 0 ? `No network: ${wait}` : 'No network'];
  else if (marks.failed && count > 0) bar = ['alert', `The server does not answer: ${wait}`];
  else if (always && count > 0) bar = ['clock', `Not sent: ${count}`];
  return (
    <div aria-live="polite" className="flex flex-col gap-3 print:hidden [&:not(:empty)]:mb-4">
      {bar && (
        <div className="note note-warn items-center font-medium">
          <Icon name={bar[0]} className="size-5 shrink-0" />
          <p className="flex-1">{bar[1]}</p>
          {count > 0 && (
            <Button
              look="plain"
              className="border-current text-inherit hover:bg-base-content/20"
              busy={marks.sending}
              onClick={() => void queue.flush()}
            >
              Send now
            </Button>
          )}
        </div>
      )}
      {marks.refused.map((refused) => (
        <RefusedMark key={refused._id} refused={refused} />
      ))}
    </div>
  );
}

/** The server will never store it, so the user notes it elsewhere. */
function RefusedMark({ refused }: { refused: Refused }) {
  const { me, queue } = useCalling();
  const [copied, setCopied] = useState(false);
  const { mark, about, reason } = refused;
  const { participantId = '' } = mark;
  const { data: name } = useQuery({
    queryKey: ['kept name', me.id, participantId],
    queryFn: () => readName(me.id, participantId),
    networkMode: 'always',
    gcTime: 0,
  });
  const person = mark.guest ?? name ?? 'a person who is no longer on the list';
  const facts = [about, person, mark.status, mark.note, momentOf(mark.at)];
  const words = facts.filter(Boolean).join(', ');
  const copy = async () => {
    await navigator.clipboard.writeText(`${words}: ${reason}`).catch(() => null);
    setCopied(true);
  };
  return (
    <div className="rounded-box border-2 border-error bg-base-100 p-4">
      <p className="font-semibold text-error">A mark was not accepted</p>
      <p className="mt-1 text-sm wrap-anywhere">{words}</p>
      <p className="mt-1 text-sm font-medium">{reason}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button look="outline" onClick={() => void copy()}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
        <Button look="plain" onClick={() => void queue.dismiss(refused._id)}>
          Remove
        </Button>
      </div>
    </div>
  );
}
