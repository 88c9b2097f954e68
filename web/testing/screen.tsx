// Renders a component as the app would, with a session, a router and answers to its calls, for the
// component tests.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { MemoryRouter, useLocation } from 'react-router';
import { onTestFinished, vi } from 'vitest';
import { address, type AnyCall, type Answer } from '../../contract/platform/call.ts';
import { type ErrorBody, type ErrorCode, errors } from '../../contract/platform/errors.ts';
import type { Role } from '../../contract/platform/call.ts';
import { ApiError } from '../platform/api/send.ts';
import { SessionContext } from '../people/session/SessionProvider.tsx';
import { endToast, useMessages } from '../platform/ui/alert.ts';

export const email = 'student@rally.test';
export const aUser = { id: 'u1', name: 'Sam Student', email, image: null };

// The usual second is too short for a busy machine.
configure({ asyncUtilTimeout: 15_000, getElementError: (message) => new Error(message ?? '') });

export interface Sent {
  method: string;
  path: string;
  body: unknown;
}

type Reply =
  | { answer: (asked: URLSearchParams) => unknown }
  | { refusal: ErrorCode; field?: string; more?: Partial<ErrorBody> };

export const answers = <C extends AnyCall>(call: C, answer: Answer<C>) =>
  [call, { answer: () => answer }] as const;
/** The answer depends on the query. */
export const answersBy = <C extends AnyCall>(
  call: C,
  answer: (asked: URLSearchParams) => Answer<C>,
) => [call, { answer }] as const;
export const refuses = (
  call: AnyCall,
  refusal: ErrorCode,
  field?: string,
  more?: Partial<ErrorBody>,
) => [call, { refusal, ...(field && { field }), ...(more && { more }) }] as const;

/** What the server is told and what it answers; any other call fails the test. */
function serve(replies: readonly (readonly [AnyCall, Reply])[]): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    const [path = url, asked] = url.split('?');
    sent.push({ method, path, body: typeof body === 'string' ? JSON.parse(body) : undefined });
    const found = replies.find(
      ([call]) => call.method === method && address(call, { id: 'x' }).path === path,
    );
    if (!found) throw new Error(`The test answers no ${method} ${path}`);
    const [, reply] = found;
    if ('answer' in reply) return responseTo(reply.answer(new URLSearchParams(asked)));
    const [status, message] = errors[reply.refusal];
    const refused = { code: reply.refusal, message, field: reply.field, ...reply.more };
    return Response.json(refused, { status });
  });
  return sent;
}

function responseTo(answer: unknown): Response {
  const paged = typeof answer === 'object' && answer !== null && 'items' in answer ? answer : null;
  return paged && 'total' in paged
    ? Response.json(paged.items, { headers: { 'x-total-count': String(paged.total) } })
    : Response.json(answer);
}

/** A refusal as a call throws it. */
export const refusal = (code: ErrorCode, more: Pick<Partial<ErrorBody>, 'price' | 'lines'> = {}) =>
  new ApiError(errors[code][0], { code, message: errors[code][1], ...more });

interface Around {
  /** Null: signed out. */
  role?: Role | null;
  replies?: readonly (readonly [AnyCall, Reply])[];
  /** The address and history state of the page. */
  at?: string | { pathname: string; search: string; state: unknown };
}

/** Resolves with what was sent; `where()` is the path that the page has navigated to, `carried()` its state. */
export function show(
  element: ReactElement,
  { role = 'student', replies = [], at = '/' }: Around = {},
) {
  const sent = serve(replies);
  onTestFinished(() => {
    cleanup();
    vi.unstubAllGlobals();
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  let path = '';
  let state: unknown;
  let left: ReturnType<typeof useMessages> | undefined;
  const Where = () => {
    const location = useLocation();
    const messages = useMessages();
    left ??= messages;
    path = location.pathname + location.search;
    state = location.state;
    return null;
  };
  const session = role
    ? { state: 'in' as const, user: aUser, role, roleLoading: false }
    : { state: 'out' as const, user: null, role: null, roleLoading: false };
  render(
    <QueryClientProvider client={client}>
      <SessionContext value={session}>
        <MemoryRouter initialEntries={[at]}>
          {element}
          <Where />
        </MemoryRouter>
      </SessionContext>
    </QueryClientProvider>,
  );
  // A dialog that an earlier test of this worker left open would keep those of this test waiting, and
  // its toasts would be taken for ours.
  act(() => {
    left?.dialogs.forEach(({ answer }) => answer(false));
    left?.toasts.forEach(endToast);
  });
  return { sent, where: () => path, carried: () => state };
}
