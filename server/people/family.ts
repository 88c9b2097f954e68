// Oneself and the children in one's care: list, add, change, remove.
import type { Services } from '../platform/services.ts';
import {
  addParticipant,
  changeParticipant,
  listParticipants,
  type Participant,
  removeParticipant,
} from '../../contract/people/family.ts';
import { type AgeRange, agesInWords } from '../../contract/people/ages.ts';
import { type Db, execute, exists, query, type RowOf, sql } from '../platform/db/connection.ts';
import { today } from '../platform/db/zone.ts';
import { type AuditLine, changed, unchanged } from '../platform/db/write.ts';
import { fail, refuseField } from '../platform/http/fail.ts';
import type { Caller } from '../platform/http/on.ts';
import { mail } from '../mail/kinds.ts';
import { careState } from './care.ts';
import { guardiansOf, refuseFull, refuseOften, tell } from './guardians.ts';
import {
  eraseRows,
  fitsAge,
  isAhead,
  isBeingPaid,
  isEnrolled,
  isGuardian,
  lockOrder,
  mayRemove,
} from './participants.ts';

export function family({ on, db, write, writeAccounts, ends, jobs, config }: Services): void {
  on(listParticipants, async (_input, { who }) => {
    const { rows } = await select(who.id).execute(db);
    return rows.map(present);
  });

  on(addParticipant, ({ name, born, shareWith = [] }, { who }) =>
    // Deletions of those it is shared with are waited for.
    writeAccounts(who, { ids: shareWith, lock: 'key share' }, async (db) => {
      const others = [...new Set(shareWith)].filter((id) => id !== who.id);
      // The children that one account gains are counted one after another. In parallel, two additions
      // could each count nineteen.
      await execute(db)`select from participant where id = any (${[who.id, ...others]}::uuid[])
        ${lockOrder} for no key update`;
      if (!(await shareAChild(db, who.id, others))) fail('NOT_FOUND');
      await refuseFuture(db, born);
      if (config.rateLimit) await refuseOften(db, who, 'changed', 1);
      if (config.rateLimit) await refuseOften(db, who, 'told', others.length);
      const insertedId = await insert(db, { who, name, born, others });
      await refuseFull(db, who, { accounts: [who.id, ...others], children: [insertedId] });
      const added = { participantIds: [insertedId], userIds: others, joins: true };
      if (others.length > 0) await tell(db, added, jobs);
      const lines = others.map((detail): AuditLine => {
        return { action: 'guardian added', subject: insertedId, detail };
      });
      return {
        answer: { insertedId },
        audit: [{ action: 'child added', subject: insertedId }, ...lines],
      };
    }),
  );

  on(changeParticipant, ({ id, name, born, sure = false }, { who }) =>
    write(who, async (db) => {
      const [found] = await query<{ self: boolean; born: string | null }>(db)`
        select self_of is not null as self, born::text as born from participant where id = ${id} and ${isGuardian(who.id, sql`participant.id`)}
          and (self_of is null or self_of = ${who.id})
        for no key update`;
      if (!found) fail('NOT_FOUND');
      if (found.self && name !== undefined) refuseField('name', 'is that of your account');
      if (born !== undefined) await refuseFuture(db, born);
      if (name === undefined && born === undefined) return unchanged;
      if (config.rateLimit) await refuseOften(db, who, 'changed', 1);
      // A guardian who was removed while this request waited for the lock changes nothing.
      const count = await execute(db)`
        update participant set name = coalesce(${name ?? null}, name), born = coalesce(${born ?? null}::date, born)
        where id = ${id} and ${isGuardian(who.id, sql`participant.id`)}`;
      if (count !== 1) fail('NOT_FOUND');
      const isOther = born !== undefined && born !== found.born;
      const unfit = isOther && (await fitsNoMore(db, { id, sure }));
      const line: AuditLine = { action: 'participant changed', subject: id };
      return changed(unfit ? [line, { action: noLongerFits, subject: id }] : line);
    }),
  );

  on(removeParticipant, ({ id }, { who }) =>
    write(who, async (db) => {
      // A claim and a payment refer to the participant: they are seen below, or wait. Money for a
      // seat that is claimed later is refunded (checkout/payments/settle.ts).
      await execute(db)`select from participant where id = ${id} for update`;
      const [found] = await query<{ beingPaid: boolean; enrolled: boolean }>(db)`
        select ${isBeingPaid} as being_paid, ${isEnrolled} as enrolled from participant
        where id = ${id} and self_of is null and ${mayRemove(who.id)}
          and ${isGuardian(who.id, sql`participant.id`)}`;
      if (!found) fail('NOT_FOUND');
      if (found.beingPaid) fail('PAYMENT_IN_PROGRESS', {}, 5);
      if (found.enrolled) fail('CHILD_ENROLLED');
      const people = await guardiansOf(db, [id]);
      await eraseRows(db, [id], ends.noLonger);
      const others = people.filter((to) => to !== who.id);
      for (const to of others) await jobs.send(db, 'send-mail', mail('child-removed', { to }));
      return { answer: { deletedCount: 1 }, audit: { action: 'child removed', subject: id } };
    }),
  );
}

/** A booked class that the new birth date does not fit: asked first, and then the office is told. */
async function fitsNoMore(db: Db, { id, sure }: { id: string; sure: boolean }) {
  const rows = await query<{ name: string; age: number; className: string } & AgeRange>(db)`
    select participant.name, class.name as class_name, class.min_age, class.max_age,
      extract(year from age(coalesce(class.first_day, ${today}), participant.born))::int as age
    from enrolment join class on class.id = enrolment.class_id join participant on participant.id = enrolment.participant_id
    where participant.id = ${id} and ${isAhead} and not ${fitsAge} order by class.first_day, class.name`;
  const [unfit] = rows;
  if (!unfit) return false;
  if (!sure)
    fail('NO_LONGER_FITS', {
      message: `${unfit.name} would be ${unfit.age}; ${rows.map((row) => `${row.className} is for ${agesInWords(row)}`).join(', ')}. Really?`,
    });
  return true;
}

export const noLongerFits = 'participant no longer fits';

/** Whether each of them looks after a child together with the caller. */
async function shareAChild(db: Db, userId: string, others: readonly string[]): Promise<boolean> {
  const rows = await query<{ n: number }>(db)`
    select count(distinct other.user_id)::int as n
    from guardian mine join participant on participant.id = mine.participant_id and participant.self_of is null
      join guardian other on other.participant_id = participant.id
    where mine.user_id = ${userId} and other.user_id = any (${others}::uuid[])`;
  return rows[0]?.n === others.length;
}

async function refuseFuture(db: Db, born: string): Promise<void> {
  if (await exists(db)`select where ${born}::date > ${today}`)
    refuseField('born', 'must not be in the future');
}

async function insert(
  db: Db,
  { who, name, born, others }: { who: Caller; name: string; born: string; others: string[] },
): Promise<string> {
  const rows = await query<RowOf<'participant', 'id'>>(db)`
    with child as (
      insert into participant (name, born, made_by) values (${name}, ${born}::date, ${who.id}) returning id
    ), guards as (
      insert into guardian (user_id, participant_id) select user_id, child.id from child, unnest(${[who.id, ...others]}::uuid[]) user_id
    )
    select id from child`;
  return rows[0]?.id ?? fail('NOT_FOUND');
}

type Row = RowOf<'participant', 'id'> &
  Omit<Participant, '_id' | 'careAt'> & { careAt: Date | null };

const select = (userId: string) => sql<Row>`
  select participant.id, participant.id = ${userId} as self, participant.name, participant.born::text as born,
    extract(year from age(${today}, participant.born))::int as age,
    ${careState} as care, care.confirmed_at as care_at,
    (select jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name, 'you', u.id = ${userId}) order by g.since, u.id)
      from guardian g join "user" u on u.id = g.user_id where g.participant_id = participant.id) as guardians,
    array(select i.email from invitation i where i.participant_id = participant.id and i.expires_at > now() order by i.email) as invited,
    participant.self_of is null and ${mayRemove(userId)} as may_remove, ${isEnrolled} as enrolled
  from guardian join participant on participant.id = guardian.participant_id
    left join care on care.participant_id = participant.id
  where guardian.user_id = ${userId}
  order by participant.id <> ${userId}, guardian.since, participant.id`;

const present = ({ id, careAt, ...row }: Row): Participant => ({
  _id: id,
  ...row,
  ...(careAt && { careAt: careAt.toISOString() }),
});
