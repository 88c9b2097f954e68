// Signing up. The answer is the same whether the address is known or not; the mail tells its owner.
import { passwordCalls } from '../../contract/signin/signin.ts';
import { type Db, sql } from '../platform/db/connection.ts';
import { mail } from '../mail/kinds.ts';
import { fail } from '../platform/http/fail.ts';
import { hashPassword } from './hashes.ts';
import type { Signin } from './services.ts';
import { accountOn } from './prove.ts';

interface Form {
  name: string;
  image: string;
  email: string;
}

export function signUp(s: Signin): void {
  s.on(
    passwordCalls(s.config.strictPasswords).signUp,
    async ({ password, ...form }, { request }) => {
      await s.guesses.signUp({ ip: request.ip, email: form.email }, async () => {
        const hash = await hashPassword(password);
        await s.system([], async (db) => {
          const id = await insertAccount(db, form, hash);
          await (id === null ? tellKnown(db, form.email) : tellNew(db, id, form));
        });
      });
      return { status: true };
    },
  );

  const tellNew = (db: Db, id: string, { email, name }: Form) => {
    const user = { id, email, name, proven: false, blocked: false, registered: false };
    return s.tell(db, user, mail('confirm-address', { to: id }), 'confirm');
  };

  async function tellKnown(db: Db, email: string): Promise<void> {
    // It may have left the address since the insert found it there: the next try finds it free.
    const user = (await accountOn(db, email)) ?? fail('UNAVAILABLE', {}, 1);
    const ids = { to: user.id };
    if (user.proven) await s.tell(db, user, mail('sign-up-again', ids), 'sign-up');
    else await s.tell(db, user, mail('confirm-again', ids), 'confirm');
  }
}

/** Null: the address has an account. Of two sign-ups at the same moment the second waits for the first. */
async function insertAccount(db: Db, form: Form, hash: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    insert into "user" (name, image, email) values (${form.name}, ${form.image}, ${form.email})
    on conflict (email) do nothing returning id`.execute(db);
  if (!rows[0]) return null;
  await sql`insert into login (user_id, password_hash) values (${rows[0].id}, ${hash})`.execute(db);
  return rows[0].id;
}
