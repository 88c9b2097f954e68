// TanStack Query from a call: query(call, input) to read, useCall(call) to change and refresh. No
// file per endpoint.
import {
  type Query,
  QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useRef } from 'react';
import type { AnyCall, Answer, Input } from '../../../contract/platform/call.ts';
import { settings } from '../../../contract/platform/settings.ts';
import { sports } from '../../../contract/platform/sports.ts';
import { ApiError, send } from './send.ts';

export function query<C extends AnyCall>(call: C, input: Input<C>) {
  return queryOptions<Answer<C>, ApiError>({
    queryKey: [call.id, input],
    queryFn: ({ signal }) => send(call, input, { signal }),
  });
}

/**
 * A change. When it succeeds, what the open page shows is read again. The same change, asked for again
 * while it is under way (a double click), is sent once. `key`: the Idempotency-Key, for calls that
 * read it.
 */
export function useCall<C extends AnyCall>(call: C, { key }: { key?: () => string } = {}) {
  const client = useQueryClient();
  const underWay = useRef(new Map<string, Promise<Answer<C>>>());
  return useMutation<Answer<C>, ApiError, Input<C>>({
    mutationFn: (input) => {
      const same = JSON.stringify(input);
      const sent =
        underWay.current.get(same) ??
        send(call, input, { key: key?.() }).finally(() => underWay.current.delete(same));
      underWay.current.set(same, sent);
      return sent;
    },
    onSuccess: () => readAgain(client),
  });
}

/**
 * After a change: all that was read, or what these calls read. A first read that is still under way is
 * given up, not waited for as the library would: it may have been answered before the change, and
 * arrive after it. Opening a payment (POST) is asked by the buyer alone.
 */
export async function readAgain(client: QueryClient, calls?: readonly AnyCall[]): Promise<void> {
  const predicate = ({ queryKey: [id] }: Query) =>
    calls ? calls.some((call) => call.id === id) : String(id).startsWith('GET ');
  // What no page shows, somebody waits for.
  await client.cancelQueries({ predicate: (query) => query.isActive() && predicate(query) });
  await client.invalidateQueries({ predicate });
}

/** The library's defaults are those of the specification; only a refusal is final. */
export function newQueryClient() {
  return new QueryClient({
    defaultOptions: { queries: { retry: (failures, error) => failures < 3 && !isFinal(error) } },
  });
}

const isFinal = (error: unknown) =>
  error instanceof ApiError && error.status >= 400 && error.status < 500;

/** What the server told about itself with the page: brand, Google, cards. */
export function useSettings(): Answer<typeof settings> {
  const { data } = useQuery({ ...query(settings, {}), staleTime: Infinity });
  return data ?? unknownSettings;
}

export const unknownSettings: Answer<typeof settings> = {
  brand: 'Rally Sports Academy',
  publicUrl: '',
  google: false,
  demo: false,
  demoAccounts: false,
  strictPasswords: false,
  timeZone: 'Europe/Lisbon',
  currency: 'usd',
  sports: sports.map((name) => ({ name, icon: 'ball' })),
  pages: [],
  cards: { publishableKey: '', sandbox: true },
};

export const useSports = () => useSettings().sports.map(({ name }) => name);

/** Where the academy is: `Lisbon, Portugal`. */
export const whereabouts = ({ city, country }: { city?: string; country?: string }) =>
  [city, country].filter(Boolean).join(', ');
