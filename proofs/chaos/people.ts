// The users: written into the database with a session each, and a client that sends a browser's
// requests to either server. It renews the access token when it is refused and goes to the other
// server when one does not answer.
import { Agent, request } from 'node:http';
import { address, type AnyCall, type Answer, type Input } from '../../contract/call.ts';
import type { ErrorBody } from '../../contract/errors.ts';
import type { Role } from '../../contract/users.ts';
import type { World } from './world.ts';

export interface Person {
  id: string;
  email: string;
  cookie: string;
  /** The server that answered last. */
  at: number;
  /** One per server: their clocks differ, and so does which token they accept. */
  tokens: string[];
}

export interface Told<C extends AnyCall> {
  ok: boolean;
  /** No server, or none that can answer. */
  down: boolean;
  /**
   * Sent, and neither done nor refused as far as the client can tell: it may have happened, or
   * happen yet.
   */
  unknown: boolean;
  body: Answer<C> & Partial<ErrorBody>;
}

export type Ask = <C extends AnyCall>(
  who: Person,
  call: C,
  input: Input<C>,
  at?: number,
) => Promise<Told<C>>;

const patienceMs = 10_000;
const agent = new Agent({ keepAlive: true });

export async function people(
  { pool }: Pick<World, 'pool'>,
  role: Role,
  howMany: number,
): Promise<Person[]> {
  const { rows } = await pool.query<{ id: string; email: string; token: string }>(
    `with made as (
       insert into "user" (name, email, role, proven_at) select 'A ' || $1 || ' ' || n, gen_random_uuid() || '@example.com', $1, now()
       from generate_series(1, $2::int) n returning id, email),
     sessions as (
       insert into session (user_id, secret_hash, expires_at) select id, sha256(('chaos-' || id)::bytea), now() + interval '1 day' from made
       returning user_id)
     select made.id, made.email, 'chaos-' || made.id as token from made join sessions on sessions.user_id = made.id order by made.email`,
    [role, howMany],
  );
  return rows.map(({ id, email, token }, index) => {
    const cookie = `rally.session_token=${token}`;
    return { id, email, cookie, at: index % 2, tokens: [] };
  });
}

/** A server that cannot answer says 503. A 500 is a defect and goes to `complain`. */
export function askers({ servers }: Pick<World, 'servers'>, complain: (line: string) => void): Ask {
  const noAnswer = { ok: false, down: true, unknown: false };
  return async <C extends AnyCall>(
    who: Person,
    call: C,
    input: Input<C>,
    wanted = who.at,
  ): Promise<Told<C>> => {
    // Like a load balancer: skip a server that is known to be down.
    const at = servers[wanted]?.isServing() ? wanted : 1 - wanted;
    const door = servers[at]?.door() ?? '';
    const empty = {} as Told<C>['body'];
    if (!servers[at]?.isServing() || !(who.tokens[at] || (await renew(who, at, door))))
      return { ...noAnswer, body: empty };
    const { path, rest } = address(call, input as object);
    const inQuery = call.method === 'GET' || call.method === 'DELETE';
    const url = inQuery ? `${path}?${new URLSearchParams(rest as Record<string, string>)}` : path;
    const send = () =>
      post(
        door,
        url,
        call.method,
        { authorization: `Bearer ${who.tokens[at] ?? ''}` },
        inQuery ? undefined : rest,
      );
    let { status, body } = await send();
    if (status === 401) {
      if (!(await renew(who, at, door))) return { ...noAnswer, body: empty };
      ({ status, body } = await send());
    }
    const down = status === 0 || status >= 500;
    if (status === 500)
      complain(`${call.id} answered 500, request ${(body as Partial<ErrorBody>).requestId}`);
    who.at = down ? 1 - at : at;
    return {
      ok: status >= 200 && status < 300,
      down,
      unknown: down,
      body: body as Told<C>['body'],
    };
  };
}

/** Not fetch: with thousands of requests the servers under test need the CPU. */
function post(
  door: string,
  path: string,
  method: string,
  headers: Record<string, string>,
  body?: object,
) {
  return new Promise<{ status: number; body: object }>((done) => {
    const nothing = () => done({ status: 0, body: {} });
    const sent = body ? JSON.stringify(body) : '';
    const typed = body
      ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }
      : {};
    const options = { method, headers: { ...headers, ...typed }, agent, timeout: patienceMs };
    const asking = request(`${door}${path}`, options, (answer) => {
      const pieces: Buffer[] = [];
      answer
        .on('data', (piece: Buffer) => pieces.push(piece))
        .on('error', nothing)
        .on('close', nothing);
      answer.on('end', () => {
        try {
          const said = JSON.parse(Buffer.concat(pieces).toString()) as object;
          done({ status: answer.statusCode ?? 0, body: said });
        } catch {
          nothing();
        }
      });
    });
    asking.on('error', nothing).on('timeout', () => asking.destroy());
    asking.end(sent);
  });
}

async function renew(who: Person, at: number, door: string): Promise<boolean> {
  const { body } = await post(
    door,
    '/api/jwt',
    'POST',
    { cookie: who.cookie },
    { email: who.email },
  );
  const { token } = body as { token?: string };
  who.tokens[at] = token ?? '';
  return token !== undefined;
}
