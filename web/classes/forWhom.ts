// Whether Select asks who a class is for. It does so for accounts with children and, where the class
// is for children, for those who have never said who they are. For all others the class goes into
// the cart at once.
import { onlineManager, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, useRef, useState } from 'react';
import { isForChildren } from '../../contract/people/ages.ts';
import { addToCart } from '../../contract/checkout/cart.ts';
import type { Input } from '../../contract/platform/call.ts';
import { getClass } from '../../contract/classes/classes.ts';
import { query, readAgain, useCall } from '../platform/api/query.ts';
import { notArrived, failure, toast } from '../platform/ui/alert.ts';
import { watched } from '../platform/ui/watched.ts';
import { participants } from './participants.ts';
import { messages } from '../../contract/platform/messages.ts';
import { ApiError } from '../platform/api/send.ts';

async function mustAsk(client: QueryClient, id: string): Promise<boolean> {
  const known = client.getQueryData(participants.queryKey);
  const people = known ?? (await client.fetchQuery(participants).catch(() => []));
  if (people.some(({ self }) => !self)) return true;
  if (people[0]?.born !== null) return false;
  const item = { ...query(getClass, { id }), staleTime: 60_000, retry: false };
  const found = await client.fetchQuery(item).catch(() => undefined);
  return isForChildren(found?.maxAge);
}

export function useSelectClass() {
  const client = useQueryClient();
  const add = useAddToCart();
  const [asking, setAsking] = useState(false);
  const waiting = useRef(false);
  const select = async (input: Input<typeof addToCart>) => {
    if (waiting.current) return;
    waiting.current = true;
    if (!client.getQueryData(participants.queryKey)) {
      sayIfOffline();
      setAsking(true);
    }
    try {
      if (!(await mustAsk(client, input.itemId))) await add.run(input);
      else if (onlineManager.isOnline()) await openSheet(input.itemId);
      else {
        sayIfOffline('ask who it is for');
        setAsking(true);
        await connectionIsBack();
        await openSheet(input.itemId);
      }
    } finally {
      waiting.current = false;
      setAsking(false);
    }
  };
  return { select, busy: add.busy || asking };
}

interface Open {
  classId: string;
  Sheet: ComponentType<{ classId: string; onClose: () => void }>;
}

/** Classes that were selected without a connection are asked about one after the other. */
const asked = watched<readonly Open[]>([]);

/** The sheet is a chunk that may not be loaded yet. Some browsers remember a failed import. */
const connectionIsBack = () =>
  new Promise<void>((resolve) => {
    const stop = onlineManager.subscribe((online) => {
      if (!online) return;
      stop();
      resolve();
    });
  });

async function openSheet(classId: string) {
  try {
    const { WhoSheet } = await import('./WhoSheet.tsx');
    asked.write([...asked.read(), { classId, Sheet: WhoSheet }]);
  } catch {
    notArrived();
  }
}

export const closeSheet = () => asked.write(asked.read().slice(1));

export const useOpenSheet = () => asked.useNow()[0] ?? null;

/** Without a connection the library holds a change back and sends it later. */
export function sayIfOffline(then = 'add it') {
  if (!onlineManager.isOnline())
    toast(`No connection. We will ${then} as soon as you are back.`, 'info');
}

/** Adds a class and says so, in the words of the specification, or says why not. */
function useAddToCart() {
  const client = useQueryClient();
  const add = useCall(addToCart);
  const run = async (input: Parameters<typeof add.mutateAsync>[0]) => {
    try {
      sayIfOffline();
      const { clashes = [] } = await add.mutateAsync(input);
      toast(messages.addedToCart);
      if (clashes.length === 0) return;
      const { clashInWords } = await import('./ClashNote.tsx');
      toast(clashInWords(clashes), 'info');
    } catch (error) {
      // A 401 has already led to the sign-in page.
      if (!(error instanceof ApiError) || error.status === 401 || error.status === 403) return;
      void failure(error.message);
      // Refused means that the page shows an old state: taken, paid or sold out meanwhile.
      void readAgain(client);
    }
  };
  return { run, busy: add.isPending };
}
