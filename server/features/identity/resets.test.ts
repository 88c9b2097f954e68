// What the time and the order of answers to a reset may not tell: whether the address has an account.
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { testApp } from '../../testing/app.ts';
import { aMember, linkIn, Visitor } from '../../testing/visitor.ts';
import { createResets } from './resets.ts';

const app = await testApp();

it('a reset is answered before anything is done for the account', async () => {
  const { email } = await aMember(app);
  const holder = await app.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('select from "user" where email = $1 for update', [email]);
    const { status } = await new Visitor(app).auth('request-password-reset', { email });
    expect(status).toBe(200);
  } finally {
    await holder.query('commit');
    holder.release();
  }
  expect((await linkIn(app, email, '/resetpassword')).searchParams.get('token')).toBeTruthy();
});

describe('the mail of a reset comes all the same', () => {
  it('when the database gives up right after its link was stored', async () => {
    const { email } = await aMember(app);
    const holder = await app.pool.connect();
    try {
      await holder.query('begin');
      await holder.query('select from "user" where email = $1 for update', [email]);
      await new Visitor(app).auth('request-password-reset', { email });
      const cancel = async () => {
        const { rows } = await app.pool.query<{ ended: boolean }>(
          `select pg_cancel_backend(pid) as ended from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and query like '%for share'`,
        );
        return rows.length;
      };
      await expect.poll(cancel).toBe(1);
    } finally {
      await holder.query('commit');
      holder.release();
    }
    expect((await linkIn(app, email, '/resetpassword')).searchParams.get('token')).toBeTruthy();
  });

  it('when it could not be stored at first', async () => {
    const { email } = await aMember(app);
    await app.pool.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'full'; end $$;
      create trigger refuse before insert on pgboss.job for each row execute function refuse()`);
    await new Visitor(app).auth('request-password-reset', { email });
    const links = async () => {
      const { rows } = await app.pool.query(
        `select from verification join "user" u on value = u.id::text where email = $1`,
        [email],
      );
      return rows.length;
    };
    // The second link is of the second try.
    await expect.poll(links).toBe(2);
    await app.pool.query('drop function refuse() cascade');
    expect((await linkIn(app, email, '/resetpassword')).searchParams.get('token')).toBeTruthy();
  });
});

/** Resets whose mails leave when `end` is called. Addresses that begin with "unknown" have no account. */
function byHand({ isAway = () => false }: { isAway?: (asked: number) => boolean } = {}) {
  const begun: string[] = [];
  const asked: number[] = [];
  const complaints: string[] = [];
  const free = Promise.withResolvers<void>();
  const resets = createResets({
    withinMs: 0,
    againMs: 1,
    complain: (message) => complaints.push(message),
    known: async (emails) => {
      asked.push(emails.length);
      if (isAway(asked.length)) throw new Error('away');
      return emails.filter((email) => !email.startsWith('unknown'));
    },
    mailReset: async (email) => {
      begun.push(email);
      await free.promise;
      if (email.startsWith('broken')) throw new Error('broken');
    },
  });
  return { resets, begun, asked, complaints, end: () => free.resolve() };
}

describe('resets that wait', () => {
  it('are done two at a time, each address once', async () => {
    const { resets, begun, asked, end } = byHand();
    for (const name of ['ada', 'unknown', 'ada', 'bob', 'eve']) resets.add(`${name}@example.com`);
    await expect.poll(() => begun.length).toBe(2);
    await pause(50);
    expect(begun).toHaveLength(2);
    // Asked for again while the first mail is under way: another mail.
    resets.add('ada@example.com');
    end();
    await resets.settled();
    const names = begun.map((email) => email.replace('@example.com', ''));
    expect([names.slice(0, 3).toSorted(), names[3]]).toEqual([['ada', 'bob', 'eve'], 'ada']);
    expect(asked).toEqual([4, 1]);
  });

  it('wait for no mail of those before them', async () => {
    const { resets, begun, end } = byHand();
    resets.add('ada@example.com');
    await expect.poll(() => begun.length).toBe(1);
    resets.add('bob@example.com');
    await expect.poll(() => begun.length).toBe(2);
    end();
    await resets.settled();
  });

  it('are tried 15 times, and delay no other', async () => {
    const { resets, begun, complaints, end } = byHand();
    end();
    for (const name of ['broken', 'bob']) resets.add(`${name}@example.com`);
    await resets.settled();
    expect(begun.filter((email) => email.startsWith('bob'))).toHaveLength(1);
    expect([begun.length, complaints.length]).toEqual([16, 15]);
  });

  it('are not lost while the database is away, which is logged', async () => {
    const { resets, begun, complaints, end } = byHand({ isAway: (asked) => asked < 4 });
    end();
    resets.add('ada@example.com');
    await resets.settled();
    expect([begun, complaints.length]).toEqual([['ada@example.com'], 3]);
  });

  it('have mails at moments of their own: those before and after it tell of no third one', async () => {
    const left: string[] = [];
    const resets = createResets({
      withinMs: 20,
      complain: () => undefined,
      known: async (emails) => emails,
      mailReset: async (email) => void left.push(email),
    });
    const orders = new Set<string>();
    for (let round = 0; round < 40; round += 1) {
      for (const email of ['a', 'b', 'c']) resets.add(email);
      await resets.settled();
      orders.add(left.splice(0).join(''));
    }
    expect(orders.size).toBeGreaterThan(1);
  });

  it('are looked for at once, ten thousand at most: addresses without an account delay no other', async () => {
    const { resets, begun, asked, end } = byHand();
    end();
    for (let n = 0; n < 9_999; n++) resets.add(`unknown${n}@example.com`);
    resets.add('ada@example.com');
    expect(() => resets.add('bob@example.com')).toThrow(
      expect.objectContaining({ code: 'UNAVAILABLE' }),
    );
    await resets.settled();
    expect([begun, asked]).toEqual([['ada@example.com'], [10_000]]);
  });
});
