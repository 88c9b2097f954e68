// The mails to those who wait, from their rows at the moment when they are sent.
import { query, sql } from '../../platform/db/connection.ts';
import { liveHold } from '../../platform/db/states.ts';
import type { Mails, Person } from '../../mail/kinds.ts';
import { isGuardian } from '../../people/participants.ts';
import { type Offered, offerMail, type OffList, offTheListMail, type Whom } from './texts.ts';

/** Of a wish: those whom the person looks after. Who no longer does is told of nobody. */
const whom = (person: Person) => sql`
  select json_build_object('self', coalesce(bool_or(participant.id = ${person.id}), false),
      'children', coalesce(json_agg(participant.name order by participant.id) filter (where participant.id <> ${person.id}), '[]')) as whom,
    array_agg(participant.id order by participant.id) as participant_ids
  from waiter join participant on participant.id = waiter.participant_id
  where waiter.wait_id = wish.wait_id and waiter.class_id = wish.class_id
    and ${isGuardian(person.id, sql`participant.id`)}`;

const isSomebody = ({ self, children }: Whom) => self || children.length > 0;

export const waitingMails = {
  offer: async ({ waitId, classId, again }, { db, config, person }) => {
    const rows = await query<Omit<Offered, 'again' | 'until'> & { until: Date | null }>(db)`
      select class.name, class.schedule, class.place, people.whom, seats.*
      from wish join class on class.id = wish.class_id cross join lateral (${whom(person)}) people
      cross join lateral (
        select sum(list_cents)::int as cents, min(expires_at) as until from hold
        where hold.wait_id = wish.wait_id and hold.class_id = wish.class_id and ${liveHold()} and expires_at > now()) seats
      where wish.wait_id = ${waitId} and wish.class_id = ${classId} and wish.state = 'offered'`;
    const [row] = rows;
    if (!row?.until || !isSomebody(row.whom)) return null;
    return offerMail(config, person, { ...row, until: row.until, again });
  },
  'off-the-list': async ({ waitId, classId }, { db, config, person }) => {
    const rows = await query<OffList>(db)`
      select class.id as class_id, class.name, people.whom, people.participant_ids, wish.ended = 'closed' as closed
      from wish join class on class.id = wish.class_id cross join lateral (${whom(person)}) people
      where wish.wait_id = ${waitId} and wish.class_id = ${classId} and wish.ended in ('expired', 'closed')`;
    const [row] = rows;
    return row && isSomebody(row.whom) ? offTheListMail(config, person, row) : null;
  },
} satisfies Partial<Mails>;
