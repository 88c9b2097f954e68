// The mails with a link for a new password. The accounts are looked for after the answer, at a random
// moment, and all that wait at once: so neither the time nor the order of answers tells which addresses
// have an account. NOT for: choosing the new password (mailedlinks.ts).
import { setTimeout as pause } from 'node:timers/promises';
import { fail } from '../../http/fail.ts';

/** In one process. More come from an attack only. */
const mostWaiting = 10_000;

interface Deps {
  /** Those of these addresses that have an account. */
  known: (emails: readonly string[]) => Promise<readonly string[]>;
  /** Mails the link. */
  mailReset: (email: string) => Promise<void>;
  /** How long an address waits at most before its account is looked for. */
  withinMs: number;
  complain: (message: string, error: unknown) => void;
}

export interface Resets {
  /** An address that waits already is not added again. */
  add(email: string): void;
  /** Resolves when none waits. */
  settled(): Promise<void>;
}

export function createResets({ known, mailReset, withinMs, complain }: Deps): Resets {
  const waiting = new Set<string>();
  let underWay: Promise<void> | null = null;
  const failed = (error: unknown): undefined => {
    complain('A link could not be mailed', error);
  };

  async function work(): Promise<void> {
    while (waiting.size > 0) {
      await pause(Math.random() * withinMs);
      const asked = [...waiting];
      // Who asks from now on gets another mail.
      waiting.clear();
      const found = await known(asked).catch(failed);
      for (const email of found ?? []) await mailReset(email).catch(failed);
    }
    underWay = null;
  }

  return {
    add(email) {
      if (waiting.size >= mostWaiting) fail('UNAVAILABLE', {}, 2);
      waiting.add(email);
      underWay ??= work();
    },
    async settled() {
      await underWay;
    },
  };
}
