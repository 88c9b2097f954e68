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

/** Resets whose mails are sent when the test says so. */
function byHand() {
  const begun: string[] = [];
  const complaints: string[] = [];
  let free = Promise.withResolvers<void>();
  const resets = createResets({
    withinMs: 0,
    complain: (message) => complaints.push(message),
    mailReset: async (email) => {
      begun.push(email);
      await free.promise;
    },
  });
  return {
    resets,
    begun,
    complaints,
    end: () => free.resolve(),
    break: () => {
      free.reject(new Error('away'));
      free = Promise.withResolvers();
    },
  };
}

describe('resets that wait', () => {
  it('are done one at a time, each address once', async () => {
    const { resets, begun, end } = byHand();
    for (const name of ['ada', 'ada', 'bob']) resets.add(`${name}@example.com`);
    await expect.poll(() => begun.length).toBe(1);
    await pause(50);
    expect(begun.length).toBe(1);
    end();
    await resets.settled();
    expect(begun.toSorted()).toEqual(['ada@example.com', 'bob@example.com']);
    resets.add('ada@example.com');
    await resets.settled();
    expect(begun.length).toBe(3);
  });

  it('go on after one that failed, which is logged', async () => {
    const { resets, begun, complaints, end, break: fails } = byHand();
    resets.add('ada@example.com');
    await expect.poll(() => begun.length).toBe(1);
    fails();
    end();
    resets.add('bob@example.com');
    await resets.settled();
    expect([begun.length, complaints]).toEqual([2, ['A link could not be mailed']]);
  });

  it('are a thousand at most: the next are told to come later', async () => {
    const { resets, begun, end } = byHand();
    for (let n = 0; n < 1_000; n++) resets.add(`${n}@example.com`);
    expect(() => resets.add('ada@example.com')).toThrow(
      expect.objectContaining({ code: 'UNAVAILABLE' }),
    );
    end();
    await resets.settled();
    expect(begun.length).toBe(1_000);
  });
});
