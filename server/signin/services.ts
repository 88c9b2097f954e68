// What each file of this room is given (index.ts makes it).
import type { Services } from '../platform/services.ts';
import type { Db } from '../platform/db/connection.ts';
import type { MailJob } from '../platform/db/jobs.ts';
import type { Asked } from '../platform/http/on.ts';
import type { Cookies, Exchange } from './cookies.ts';
import type { IdentityGate } from './gate.ts';
import type { Guesses, MailKind } from './guesses.ts';
import type { Claimed } from './prove.ts';
import type { Begun } from './sessions.ts';
import type { Tokens } from './tokens.ts';

export interface Signin extends Services {
  guesses: Guesses;
  cookies: Cookies;
  tokens: Tokens;
  holderOf: IdentityGate['holderOf'];
  /**
   * To an account. A mail too many of a kind that a stranger can cause is dropped, and to an address
   * that is not proven every mail is of such a kind.
   */
  tell: (db: Db, user: Claimed, mail: MailJob, kind?: MailKind) => Promise<void>;
  /**
   * Begins a session in the transaction that has judged the person, and tells of a network that is new
   * to the account.
   */
  letIn: (db: Db, user: Claimed, given: { kept: boolean; request: Asked }) => Promise<Begun>;
  /** After the commit. */
  giveCookie: (exchange: Exchange, session: Begun) => void;
}
