// The mails of this room, from their rows at the moment when they are sent.
import type { StaffRole } from '../../contract/people/staff.ts';
import { exists, query, type RowOf, sql } from '../platform/db/connection.ts';
import { erasedAccount } from '../platform/db/states.ts';
import { hashOf, newSecret } from '../platform/db/hashed.ts';
import type { Addressed } from '../mail/common.ts';
import * as texts from './texts.ts';
import type { Mails, Render } from '../mail/kinds.ts';
import { isGuardian } from './participants.ts';

const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name);

/** While the account looks after the child. */
const toGuardian =
  (write: typeof texts.careEndsMail): Render<'care-ends' | 'child-ends'> =>
  async ({ participantId }, { db, config, person }) => {
    const isTheirs = await exists(db)`select where ${isGuardian(person.id, sql`${participantId}`)}`;
    return isTheirs ? write(config, person, participantId) : null;
  };

export const peopleMails = {
  // The secret is made now: a mail that waits has none. Of two mails to one address the later one works.
  'guardian-invitation': async ({ email, by, participantIds }, { db, config }) => {
    const secret = newSecret();
    const rows = await query<Addressed & { children: string[] }>(db)`
      with open as (
        select participant_id from invitation where email = ${email} and invited_by = ${by}
          and participant_id = any (${participantIds}::uuid[]) and expires_at > now()
        order by participant_id, email for update
      ), given as (
        update invitation set secret_hash = ${hashOf(secret)} from open
        where invitation.participant_id = open.participant_id and email = ${email})
      select u.id, u.email, u.name, array_agg(participant.name order by participant.name, participant.id) as children
      from open join participant on participant.id = open.participant_id join "user" u on u.id = ${by}
      group by u.id`;
    const [from] = rows;
    if (!from) return null;
    // A fragment reaches no log.
    const link = `${config.publicUrl}/invitation#${secret}`;
    return texts.invitationMail(config, email, { from, children: from.children, link });
  },
  // Who has left the child is told its name as it was then.
  'guardians-changed': async ({ participantIds, userIds, joins }, { db, config, person }) => {
    const you = userIds.includes(person.id);
    const left = sql`(${you && !joins} and changed_at <= (select max(at) from audit
      where action = 'guardian removed' and subject = participant.id::text and detail = ${person.id}))`;
    const children = await query<RowOf<'participant', 'name'>>(db)`
      select name from participant where id = any (${participantIds}::uuid[]) and erased_at is null
        and (${isGuardian(person.id, sql`participant.id`)} or ${left}) order by name`;
    const who = await query<RowOf<'user', 'name'>>(db)`
      select name from "user" where id = any (${userIds}::uuid[]) and not ${erasedAccount('user')}
      order by id`;
    // Whoever came has gone again.
    if (children.length === 0 || (joins && who.length === 0)) return null;
    const changed = { children: names(children), who: names(who), joins };
    return texts.guardianMail(config, { ...person, you }, changed);
  },
  'child-removed': async (_ids, { config, person }) => texts.childRemovedMail(config, person),
  'care-ends': toGuardian(texts.careEndsMail),
  'child-ends': toGuardian(texts.childEndsMail),
  'staff-invitation': async ({ invitationId }, { db, config }) => {
    const secret = newSecret();
    const [invited] = await query<{ email: string; role: StaffRole; from: string }>(db)`
      update staff_invitation set secret_hash = ${hashOf(secret)} from "user" u
      where staff_invitation.id = ${invitationId} and expires_at > now() and u.id = invited_by
      returning staff_invitation.email, staff_invitation.role, u.name as from`;
    return invited
      ? texts.staffInvitationMail(config, invited.email, {
          ...invited,
          link: joinLink(config, secret),
        })
      : null;
  },
  'instructor-made': async (_ids, { config, person }) =>
    person.role === 'instructor' ? texts.instructorMail(config, person) : null,
} satisfies Partial<Mails>;

/** A fragment reaches no log. */
export const joinLink = ({ publicUrl }: { publicUrl: string }, secret: string) =>
  `${publicUrl}/join#${secret}`;
