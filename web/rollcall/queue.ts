// The marks on their way from the phone to the server. A mark is stored first and sent then; it
// leaves the phone only when the server has answered for it. Sent twice, it is stored once.
import { markRefusals } from '../../contract/rollcall/marks.ts';
import type { MarkResult, NewMark } from '../../contract/rollcall/rollcall.ts';
import { ApiError } from '../platform/api/send.ts';
import { watched } from '../platform/ui/watched.ts';
import type * as Store from './store.ts';
import type { Outgoing, Refused } from './store.ts';

export interface QueueState {
  marks: readonly Outgoing[];
  /** Sent while the roll call was open; a roster that was read before does not have them. */
  sent: readonly NewMark[];
  refused: readonly Refused[];
  sending: boolean;
  failed: 'no network' | 'no answer' | null;
}

export interface QueueOptions {
  userId: string;
  store: Pick<
    typeof Store,
    'addMarks' | 'readMarks' | 'readRefused' | 'readSent' | 'settleMarks' | 'dismissRefused'
  >;
  send: (marks: NewMark[]) => Promise<MarkResult[]>;
  /** False while another user, or none, is signed in. */
  maySend: () => boolean;
  /** Called after marks were sent, when none is left. */
  onSent?: () => void;
}

const most = 100;
const firstPause = 15_000;
const longestPause = 120_000;

/** 0: there was no answer. */
const statusOf = (error: unknown) => (error instanceof ApiError ? error.status : 0);

export type Queue = ReturnType<typeof createQueue>;

export function createQueue(options: QueueOptions) {
  const { userId, store, send, maySend, onSent } = options;
  const { read, write, watch } = watched<QueueState>({
    marks: [],
    sent: [],
    refused: [],
    sending: false,
    failed: null,
  });
  const become = (next: Partial<QueueState>) => write({ ...read(), ...next });

  let stopped = false;
  let pause = firstPause;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = () => {
    clearTimeout(timer);
    if (stopped) return;
    // Phones that lost the same network must not come back in the same second.
    timer = setTimeout(() => void flush(), pause * (0.75 + Math.random() / 2));
    pause = Math.min(pause * 2, longestPause);
  };

  let flushing: Promise<void> | null = null;
  let again = false;
  /** Sends what waits. Asked while it is sending, it looks once more afterwards. */
  function flush(): Promise<void> {
    again = true;
    flushing ??= sendAll().finally(() => {
      flushing = null;
      if (again && !stopped) void flush();
    });
    return flushing;
  }

  async function sendAll(): Promise<void> {
    clearTimeout(timer);
    let anySent = false;
    try {
      while (again) {
        again = false;
        if (stopped) return;
        for (let batch = await waiting(); batch.length > 0; batch = await waiting()) {
          if (!maySend()) return;
          become({ sending: true });
          await settle(batch, await ask(batch));
          anySent = true;
          pause = firstPause;
        }
      }
      become({ failed: null });
      if (anySent) onSent?.();
    } catch (error) {
      become({ failed: statusOf(error) === 0 ? 'no network' : 'no answer' });
    } finally {
      become({ sending: false });
      if (read().marks.length > 0) later();
    }
  }

  /** From the store, not from memory: another tab may have added or sent some. */
  async function waiting(): Promise<Outgoing[]> {
    const before = read().marks;
    const marks = await store.readMarks(userId);
    const meanwhile = read().marks.filter(
      (mark) => !before.includes(mark) && !marks.some(({ _id }) => _id === mark._id),
    );
    become({ marks: [...marks, ...meanwhile] });
    return marks.slice(0, most);
  }

  /** A mark that the server cannot read, or a batch that is too long, is found by halving. */
  async function ask(batch: Outgoing[]): Promise<Map<string, MarkResult | null>> {
    try {
      const results = await send(batch.map(({ mark }) => mark));
      return new Map(results.map((result) => [result._id, result]));
    } catch (error) {
      if (![400, 413].includes(statusOf(error))) throw error;
      const [first] = batch;
      if (first && batch.length === 1) return new Map([[first._id, null]]);
      const half = Math.ceil(batch.length / 2);
      return new Map([...(await ask(batch.slice(0, half))), ...(await ask(batch.slice(half)))]);
    }
  }

  async function settle(batch: Outgoing[], results: Map<string, MarkResult | null>) {
    const isRefused = ({ _id }: Outgoing) =>
      results.get(_id) === null || results.get(_id)?.result === 'refused';
    const refused = batch.filter(isRefused).map((mark): Refused => {
      const why = results.get(mark._id)?.reason;
      const reason = why ? markRefusals[why] : 'The server cannot read this mark.';
      return Object.assign({ reason }, mark);
    });
    const done = batch.filter((mark) => results.has(mark._id) && !isRefused(mark));
    // An answer that says nothing about these marks: not to be asked again at once.
    if (done.length + refused.length === 0) throw new Error('no answer');
    await store.settleMarks(done, refused);
    const gone = new Set([...done, ...refused].map(({ _id }) => _id));
    become({
      marks: read().marks.filter(({ _id }) => !gone.has(_id)),
      sent: [...read().sent, ...done.map(({ mark }) => mark)],
      refused: [...read().refused, ...refused],
    });
  }

  const wake = () => {
    if (document.visibilityState === 'visible') void flush();
  };
  const back = () => {
    pause = firstPause;
    void flush();
  };

  return {
    read,
    watch,
    /** Resolves when the marks are stored. Only then may the page show them. */
    add: async (marks: NewMark[], about: string): Promise<void> => {
      const added = marks.map((mark) => ({ _id: mark._id, userId, mark, about }));
      await store.addMarks(added);
      become({ marks: [...read().marks, ...added] });
      void flush();
    },
    flush,
    dismiss: async (id: string) => {
      await store.dismissRefused(id);
      become({ refused: read().refused.filter(({ _id }) => _id !== id) });
    },
    /** Reads what an earlier visit has left, and sends when the network or the user comes back. */
    start: async () => {
      stopped = false;
      addEventListener('online', back);
      document.addEventListener('visibilitychange', wake);
      addEventListener('pageshow', wake);
      const reads = [store.readRefused(userId), store.readSent(userId)] as const;
      const [refused, sent] = await Promise.all(reads);
      become({ refused, sent: [...sent, ...read().sent] });
      await flush();
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      removeEventListener('online', back);
      document.removeEventListener('visibilitychange', wake);
      removeEventListener('pageshow', wake);
    },
  };
}
