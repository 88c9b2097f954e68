// The mails with a link for a new password. The accounts are looked for after the answer, at a random
// moment, and all that wait at once; each mail leaves at a random moment of its own. So neither the time
// nor the order of answers and mails tells which addresses have an account.
// NOT for: choosing the new password (mailedlinks.ts).
import { setTimeout as pause } from 'node:timers/promises';
import { fail } from '../../http/fail.ts';
import { createTurns } from '../../http/turns.ts';

/** In one process. More come from an attack only. */
const mostWaiting = 10_000;
/** Half a minute, if the database is away: the page has said that a mail comes. */
const mostTries = 15;

interface ResetNeeds {
  /** Those of these addresses that have an account. */
  known: (emails: readonly string[]) => Promise<readonly string[]>;
  /** Mails the link. */
  mailReset: (email: string) => Promise<void>;
  /** How long an address waits at most before its account is looked for, and then its mail. */
  withinMs: number;
  /** How long it waits after a failure. */
  againMs?: number;
  complain: (message: string, error: unknown) => void;
}

export interface Resets {
  /** An address that waits already is not added again. */
  add(email: string): void;
  /** Resolves when none waits. */
  settled(): Promise<void>;
}

export function createResets(deps: ResetNeeds): Resets {
  const { known, mailReset, withinMs, againMs = 2_000, complain } = deps;
  const inTurn = createTurns({ atOnce: 2, mostWaiting });
  /** By address: how often it was tried. */
  const waiting = new Map<string, number>();
  let underWay: Promise<void> | null = null;
  /** The mails under way. */
  const leaving = new Set<Promise<void>>();

  const someTime = () => pause(Math.random() * withinMs);

  /** Who asks meanwhile is not tried less often. */
  const again = (email: string, tried: number) => {
    if (tried >= mostTries) return;
    waiting.set(email, Math.min(tried, waiting.get(email) ?? tried));
    underWay ??= work();
  };

  const retry = (tried: ReadonlyMap<string, number>) => async (error: unknown) => {
    complain('A link could not be mailed', error);
    await pause(againMs);
    for (const [email, times] of tried) again(email, times + 1);
    return [];
  };

  async function mail(email: string, tried: number): Promise<void> {
    await someTime();
    await inTurn(() => mailReset(email)).catch(retry(new Map([[email, tried]])));
  }

  /** Waits for no mail: how long one takes must not show in the next ones. */
  async function work(): Promise<void> {
    while (waiting.size > 0) {
      await someTime();
      const asked = new Map(waiting);
      // Who asks from now on gets another mail.
      waiting.clear();
      const found = await known([...asked.keys()]).catch(retry(asked));
      for (const email of found) {
        const leaves = mail(email, asked.get(email) ?? 0).finally(() => leaving.delete(leaves));
        leaving.add(leaves);
      }
    }
    underWay = null;
  }

  async function settled(): Promise<void> {
    await Promise.all([underWay, ...leaving]);
    if (underWay || leaving.size > 0) await settled();
  }

  return {
    add(email) {
      if (waiting.size >= mostWaiting) fail('UNAVAILABLE', {}, 2);
      waiting.set(email, 0);
      underWay ??= work();
    },
    settled,
  };
}
