// How a page says what it reads, so that the server can have it ready when it renders the page.
import type { AnyCall, Input } from '../../contract/call.ts';

export interface Read {
  call: AnyCall;
  input: unknown;
}

export const reading = <C extends AnyCall>(call: C, input: Input<C>): Read => ({ call, input });

export type Reads = (at: {
  params: Record<string, string | undefined>;
  search: URLSearchParams;
}) => Read[];
