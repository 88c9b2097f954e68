// The mails with a link for a new password. The account is looked for after the answer, at a random
// moment and one at a time: so neither the time nor the order of answers tells which addresses have an
// account. NOT for: choosing the new password (mailedlinks.ts).
import { setTimeout as pause } from 'node:timers/promises';
import { fail } from '../../http/fail.ts';

/** In one process. More come from an attack only. */
const mostWaiting = 1_000;

interface Deps {
  /** Mails the link, if the address has an account. */
  mailReset: (email: string) => Promise<void>;
  /** How long one waits at most before the account is looked for. */
  withinMs: number;
  complain: (message: string, error: unknown) => void;
}

export interface Resets {
  /** An address that waits already is not added again. */
  add(email: string): void;
  /** Resolves when none waits. */
  settled(): Promise<void>;
}

export function createResets({ mailReset, withinMs, complain }: Deps): Resets {
  const waiting = new Map<string, Promise<void>>();
  let last = Promise.resolve();

  async function send(email: string): Promise<void> {
    await pause(Math.random() * withinMs);
    last = last
      .then(() => {
        // Who asks from now on gets another mail.
        waiting.delete(email);
        return mailReset(email);
      })
      .catch((error: unknown) => complain('A link could not be mailed', error));
    await last;
  }

  return {
    add(email) {
      if (waiting.has(email)) return;
      if (waiting.size >= mostWaiting) fail('UNAVAILABLE', {}, 2);
      waiting.set(email, send(email));
    },
    async settled() {
      await Promise.all(waiting.values());
      await last;
    },
  };
}
