// The state in one SQLite file (or memory): a restart or a kill loses nothing that was
// acknowledged. It has no rules.
import { DatabaseSync } from 'node:sqlite';
import type { Behaviour } from './cards.ts';
import type { Kind, Kinds, Thing } from './objects.ts';

/** A response as it is sent and kept under an idempotency key. */
export interface Answer {
  status: number;
  body: string;
  /** The request that produced it; a replay names it as the original. */
  request: string;
}

interface Page {
  kind: Kind;
  /** Payment intent of a charge, refund or dispute; type of an event. */
  parents?: readonly string[] | undefined;
  since?: number | undefined;
  /** Events that were not delivered. */
  missed: boolean;
  after?: string | undefined;
  limit: number;
}

interface Hidden {
  behaviour?: Behaviour;
  /** Of a payment intent: the id of the open challenge, which passes or fails it once. */
  source?: string;
}

type DeliveryState = 'pending' | 'delivered' | 'failed';

const schema = `
  create table if not exists thing (seq integer primary key autoincrement, id text not null unique, kind text not null,
    parent text, created integer not null, body text not null, hidden text not null);
  create index if not exists thing_kind on thing (kind, seq);
  create index if not exists thing_parent on thing (kind, parent, seq);
  create table if not exists answer (key text primary key, fingerprint text not null, status integer not null,
    body text not null, request text not null, at integer not null) without rowid;
  create table if not exists sending (seq integer primary key autoincrement, event text not null unique,
    state text not null, attempts integer not null default 0, next_at integer not null);
  create index if not exists sending_due on sending (next_at) where state = 'pending';
  create table if not exists task (seq integer primary key autoincrement, at integer not null, work text not null,
    object text not null);
  create table if not exists setting (name text primary key, value text not null) without rowid;
`;

/** Any column of any table; each query reads those it selected. */
interface Row {
  event: string;
  state: DeliveryState;
  attempts: number;
  seq: number;
  at: number;
  work: string;
  object: string;
  status: number;
  body: string;
  hidden: string;
  fingerprint: string;
  request: string;
  value: string;
}

export type Store = ReturnType<typeof openStore>;

export function openStore(file: string) {
  const db = new DatabaseSync(file);
  // With NORMAL in WAL mode a kill loses nothing; a power cut may lose a write, which is fine.
  db.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = 2000;');
  db.exec(schema);
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  const sql = (text: string) => {
    const known = prepared.get(text);
    if (known) return known;
    const fresh = db.prepare(text);
    prepared.set(text, fresh);
    return fresh;
  };
  const rows = (text: string, ...values: (string | number | null)[]): Row[] =>
    sql(text).all(...values) as unknown as Row[];
  const row = (text: string, ...values: (string | number | null)[]): Row | undefined =>
    sql(text).get(...values) as unknown as Row | undefined;
  const run = (text: string, ...values: (string | number | null)[]) => sql(text).run(...values);

  return {
    close: () => db.close(),

    /** All or nothing: the change, its events and the stored response are written together. */
    together<T>(work: () => T): T {
      db.exec('begin immediate');
      try {
        const result = work();
        db.exec('commit');
        return result;
      } catch (error) {
        db.exec('rollback');
        throw error;
      }
    },

    insert(thing: Thing, parent: string | null, hidden: Hidden = {}): void {
      const { id, object, created } = thing;
      const values = [id, object, parent, created, JSON.stringify(thing), JSON.stringify(hidden)];
      run(
        'insert into thing (id, kind, parent, created, body, hidden) values (?, ?, ?, ?, ?, ?)',
        ...values,
      );
    },
    update(thing: Thing): void {
      run('update thing set body = ? where id = ?', JSON.stringify(thing), thing.id);
    },
    get<K extends Kind>(kind: K, id: string): Kinds[K] | undefined {
      const found = row('select body from thing where id = ? and kind = ?', id, kind);
      return found && (JSON.parse(found.body) as Kinds[K]);
    },
    hidden(id: string): Hidden {
      const found = row('select hidden from thing where id = ?', id);
      return found ? (JSON.parse(found.hidden) as Hidden) : {};
    },
    hide(id: string, hidden: Hidden): void {
      run('update thing set hidden = ? where id = ?', JSON.stringify(hidden), id);
    },
    childrenOf<K extends Kind>(kind: K, parent: string): Kinds[K][] {
      const found = rows(
        'select body from thing where kind = ? and parent = ? order by seq',
        kind,
        parent,
      );
      return found.map(({ body }) => JSON.parse(body) as Kinds[K]);
    },
    page(page: Page): { things: Thing[]; more: boolean } {
      const where = ['kind = ?'];
      const values: (string | number)[] = [page.kind];
      const and = (condition: string, ...more: (string | number)[]) => {
        where.push(condition);
        values.push(...more);
      };
      if (page.parents)
        and(`parent in (${page.parents.map(() => '?').join(', ')})`, ...page.parents);
      if (page.since !== undefined) and('created >= ?', page.since);
      if (page.missed)
        and("id in (select event from sending where state in ('pending', 'failed'))");
      if (page.after) and('seq < (select seq from thing where id = ?)', page.after);
      const found = rows(
        `select body from thing where ${where.join(' and ')} order by seq desc limit ?`,
        ...values,
        page.limit + 1,
      );
      const things = found.slice(0, page.limit).map((one) => JSON.parse(one.body) as Thing);
      return { things, more: found.length > page.limit };
    },

    answer(key: string): { fingerprint: string; answer: Answer; at: number } | undefined {
      const found = row(
        'select fingerprint, status, body, request, at from answer where key = ?',
        key,
      );
      if (!found) return undefined;
      const { fingerprint, status, body, request, at } = found;
      return { fingerprint, at, answer: { status, body, request } };
    },
    remember(key: string, fingerprint: string, answer: Answer, at: number): void {
      const { status, body, request } = answer;
      const values = [key, fingerprint, status, body, request, at];
      run('insert or replace into answer values (?, ?, ?, ?, ?, ?)', ...values);
    },

    addDelivery(event: string, nextAt: number, state: DeliveryState): void {
      run('insert into sending (event, state, next_at) values (?, ?, ?)', event, state, nextAt);
    },
    delivery: (event: string) => row('select * from sending where event = ?', event),
    dueDeliveries: (now: number, limit: number) =>
      rows(
        "select * from sending where state = 'pending' and next_at <= ? order by seq limit ?",
        now,
        limit,
      ),
    nextDeliveryAt: (now: number) =>
      row("select min(next_at) as at from sending where state = 'pending' and next_at > ?", now)
        ?.at,
    settleDelivery(event: string, state: DeliveryState, nextAt: number): void {
      run(
        'update sending set state = ?, attempts = attempts + 1, next_at = ? where event = ?',
        state,
        nextAt,
        event,
      );
    },

    addTask: (at: number, work: string, object: string) =>
      run('insert into task (at, work, object) values (?, ?, ?)', at, work, object),
    dueTasks: (now: number) => rows('select * from task where at <= ? order by at, seq', now),
    nextTaskAt: () => row('select min(at) as at from task')?.at,
    dropTask: (seq: number) => run('delete from task where seq = ?', seq),

    setting: (name: string) => row('select value from setting where name = ?', name)?.value,
    set: (name: string, value: string) =>
      run('insert or replace into setting values (?, ?)', name, value),
  };
}
