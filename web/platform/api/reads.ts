// How a page says what it reads, so that the server can have it ready when it renders the page.
import type { AnyCall, Answer, Input } from '../../../contract/platform/call.ts';

export interface Read {
  call: AnyCall;
  input: unknown;
  /** What is read next depends on the answer, such as the classes of the same sport. */
  next: (answer: never) => Read[];
}

export const reading = <C extends AnyCall>(
  call: C,
  input: Input<C>,
  next: (answer: Answer<C>) => Read[] = () => [],
): Read => ({ call, input, next });

export type Reads = (at: {
  params: Record<string, string | undefined>;
  search: URLSearchParams;
}) => Read[];
