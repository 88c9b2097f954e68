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

/** Resets whose mails leave when `end` is called. Addresses that begin with "unknown" have no account. */
function byHand({ isAway = false } = {}) {
  const begun: string[] = [];
  const asked: number[] = [];
  const complaints: string[] = [];
  const free = Promise.withResolvers<void>();
  const resets = createResets({
    withinMs: 0,
    complain: (message) => complaints.push(message),
    known: async (emails) => {
      asked.push(emails.length);
      if (isAway && asked.length === 1) throw new Error('away');
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
  it('are done one at a time, each address once', async () => {
    const { resets, begun, asked, end } = byHand();
    for (const name of ['ada', 'unknown', 'ada', 'bob']) resets.add(`${name}@example.com`);
    await expect.poll(() => begun.length).toBe(1);
    await pause(50);
    expect(begun).toEqual(['ada@example.com']);
    // Asked for again while the first mail is under way: another mail.
    resets.add('ada@example.com');
    end();
    await resets.settled();
    expect(begun).toEqual(['ada@example.com', 'bob@example.com', 'ada@example.com']);
    expect(asked).toEqual([3, 1]);
  });

  it('go on after one that failed, which is logged', async () => {
    const { resets, begun, complaints, end } = byHand();
    end();
    for (const name of ['broken', 'bob']) resets.add(`${name}@example.com`);
    await resets.settled();
    expect([begun.length, complaints]).toEqual([2, ['A link could not be mailed']]);
  });

  it('go on after the database was away, which is logged', async () => {
    const { resets, begun, complaints, end } = byHand({ isAway: true });
    end();
    resets.add('ada@example.com');
    await resets.settled();
    resets.add('bob@example.com');
    await resets.settled();
    expect([begun, complaints]).toEqual([['bob@example.com'], ['A link could not be mailed']]);
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
