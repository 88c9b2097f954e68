// The kinds of mail that wait as jobs, and what a job has of each: ids, and what no row keeps, such
// as the words before a change. Each room loads, checks and writes its own kinds when they are sent
// (its mails.ts).
import type { Config } from '../platform/config.ts';
import type { Db } from '../platform/db/connection.ts';
import type { Message } from './mail.ts';
import type { Greeted } from './common.ts';

interface To {
  to: string;
}

export interface Kinds {
  // people
  'guardian-invitation': { email: string; by: string; participantIds: readonly string[] };
  'guardians-changed': To & {
    participantIds: readonly string[];
    userIds: readonly string[];
    joins: boolean;
  };
  'child-removed': To;
  'care-ends': To & { participantId: string };
  'child-ends': To & { participantId: string };
  'staff-invitation': { invitationId: string };
  'instructor-made': To;

  // classes
  'new-plan': To & OfClass & { before: { schedule: string; place: string } };
  'new-dates': To & OfClass & { moved: readonly Moved[] };
  'office-dates': Kinds['new-dates'] & { by: string; told: number };
  /** `counts`: how many were added, changed and so on, for when these are too many to be listed. */
  'teaching-changed': Kinds['new-dates'] & { counts: string; removed: boolean };
  'class-changed': To & OfClass & { changes: readonly string[] };
  approved: To & OfClass & { isChange: boolean };
  denied: To & OfClass & { explained: boolean };
  'change-refused': To & OfClass & { reason: string };
  feedback: To & OfClass;
  'handed-over': To & OfClass & { from: string; teacher: string };
  'class-taken-over': To & OfClass;
  'class-called-off': To & OfClass;
  'seats-given-back': To & OfClass & { seats: number };

  // checkout
  receipt: To & { paymentId: string };
  booked: To & { paymentId: string };
  refunded: To & { paymentId: string; refundIds: readonly string[] };
  /** `keys` of the ledger, all of one act. */
  credited: To & { keys: readonly string[] };
  'seat-ended': To & { lineId: string; reason: string };
  'seats-ended': To & { enrolmentIds: readonly string[] };
  'who-comes': To & { enrolmentId: string; before: string; now: string };
  left: To & { enrolmentId: string; cardCents: number; creditCents: number };
  'seat-credit': To & { lineId: string; cents: number; reason: string };
  'ask-answered': To & { enrolmentId: string; words: string };
  'class-cancelled': To & OfClass;
  'objection-answered': To & { enrolmentId: string; words: string };
  /** `again`: it ends soon. */
  offer: To & OfClass & { waitId: string; again: boolean };
  'off-the-list': To & OfClass & { waitId: string };

  // office
  announcement: To & { announcementId: string };
  reminder: To & { day: string };
  'classes-to-review': To & Notices;
  alarms: To & Notices;

  // signin
  'confirm-address': To;
  'confirm-again': To;
  'sign-up-again': To;
  'new-password': To;
  'account-blocked': To;
  'account-taken-over': To;
  'google-connected': To;
  'password-changed': To & Doing & { wasConfirmed: boolean };
  'new-device': To & Doing;
  'second-step-on': To & Doing;
  'second-step-off': To & Doing;
  'backup-codes-new': To & Doing;
  /** To `email`, at the wish of an account. */
  'new-address': { by: string; email: string };
  'address-taken': To;
  /** To this address, which the account has left. */
  'address-changed': To & { email: string };
}

/** When something was done to an account, and with which browser. */
interface Doing {
  at: string;
  browser: string;
}

/** By the subjects of their rows of `notice`. */
interface Notices {
  subjects: readonly string[];
}

interface OfClass {
  classId: string;
}

/** A meeting that was changed, and what it was. */
export interface Moved {
  id: string;
  /** Null: it did not take place before. */
  was: { day: string; starts: string; minutes: number; placeId: string | null } | null;
  from: string | null;
  /** Somebody else than before teaches it. */
  chosen: boolean;
}

export type Kind = keyof Kinds;

/** The account that a mail goes to, as it is when the mail is sent. */
export interface Person extends Greeted {
  role: string;
  mailOff: readonly string[];
}

interface Sending {
  db: Db;
  config: Pick<Config, 'brand' | 'publicUrl' | 'secret'>;
}

/** Writes a mail from its rows. Null: it is not true any more, or no business of who would get it. */
export type Render<K extends Kind> = (
  ids: Kinds[K],
  sending: Kinds[K] extends To ? Sending & { person: Person } : Sending,
) => Promise<Message | null>;

export type Mails<K extends Kind = Kind> = { [kind in K]: Render<kind> };

export const doneBy = ({ headers }: { headers: { 'user-agent'?: string | undefined } }): Doing => ({
  at: new Date().toISOString(),
  browser: headers['user-agent'] ?? '',
});

export const mail = <K extends Kind>(
  kind: K,
  ids: Kinds[K],
): { kind: NoInfer<K>; ids: Kinds[NoInfer<K>] } => ({ kind, ids });
