// Puts a class into the cart. Every public page has this file.
import { onlineManager, useQueryClient } from '@tanstack/react-query';
import { addToCart } from '../../contract/checkout/cart.ts';
import { messages } from '../../contract/platform/messages.ts';
import { readAgain, useCall } from '../platform/api/query.ts';
import { ApiError } from '../platform/api/send.ts';
import { failure, toast } from '../platform/ui/alert.ts';

/** Without a connection the library holds a change back and sends it later. */
export function sayIfOffline(then = 'add it') {
  if (!onlineManager.isOnline())
    toast(`No connection. We will ${then} as soon as you are back.`, 'info');
}

/** Adds a class and says so, in the words of the specification, or says why not. */
export function useAddToCart() {
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
