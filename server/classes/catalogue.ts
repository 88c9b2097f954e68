// Reads classes: the public catalogue, and the lists of admin and instructor.
import type { Services } from '../platform/services.ts';
import {
  type Class,
  type ClassDetail,
  type ClassStatus,
  exportClasses,
  facts,
  getClass,
  type Level,
  listClasses,
  listInstructorClasses,
  type ManagedClass,
  type Proposal,
  statuses,
} from '../../contract/classes/classes.ts';
import { knownAges } from '../../contract/people/ages.ts';
import type { ClassMeeting } from '../../contract/classes/meetings.ts';
import { dollars, slice } from '../../contract/platform/rules.ts';
import { type Db, exists, instant, query, queryOne, sql } from '../platform/db/connection.ts';
import { activeEnrolment, onSale } from '../platform/db/states.ts';
import { listing } from '../platform/db/lists.ts';
import { today } from '../platform/db/zone.ts';
import { csv } from '../platform/http/csv.ts';
import { fail } from '../platform/http/fail.ts';
import type { Handler } from '../platform/http/on.ts';
import { meetingsOf } from './dates.ts';
import { alike, type ClassFilter, conditions, type Shelf } from './finding.ts';
import { changesOf, factsOf, proposedValues } from './proposals.ts';
import { listPlans, mostPlanned, type PlannedClass } from '../../contract/classes/plans.ts';
import { type Instructor, listInstructors } from '../../contract/classes/instructors.ts';
import { isCoach } from '../people/users.ts';

export function catalogue(services: Services): void {
  const { on, db, config } = services;
  plans(services);
  instructors(services);
  const offered = async (approved: Listed) => {
    const { rows, total } = await listed(db, approved);
    if (total > 0 || !approved.search) return { rows, total };
    const { limit, offset } = slice(approved);
    const ids = offset === 0 ? await alike(db, approved, limit) : [];
    if (ids.length === 0) return { rows, total };
    const similar = await selectClass(db)
      .where('class.id', 'in', ids)
      .where('class.shelf', '=', 'approved')
      .orderBy(sql`array_position(${ids}::uuid[], class.id)`)
      .execute();
    return { rows: similar, total: similar.length, alike: true as const };
  };

  const visible: Handler<typeof listClasses> = async (input, { who }) => {
    if (who?.role !== 'admin' || input.status === 'approved') {
      const { rows, ...found } = await offered({ ...input, status: 'approved' });
      const result = rows.map(present);
      return { result, outQueryResult: result, ...found };
    }
    const every = { ...input, status: isShelf(input.status) ? input.status : undefined };
    const approved = { ...input, status: 'approved' as const };
    const [first, all] = await Promise.all([listed(db, approved), listed(db, every)]);
    return {
      result: first.rows.map(present),
      outQueryResult: all.rows.map((row) => presentManaged(row)),
      total: all.total,
    };
  };
  // The approved classes are the same for every caller; an admin's other lists are not.
  on(listClasses, visible, {
    channels: ['classes', 'seats'],
    forSignedIn: ({ status }) => status === 'approved',
  });

  on(getClass, async ({ id }, { who }) => {
    const row = await selectClass(db).where('class.id', '=', id).executeTakeFirst();
    if (!row) fail('NOT_FOUND');
    const managed = who && (who.role === 'admin' || who.id === row.instructorId);
    const isHidden = row.status !== 'approved';
    if (!managed && isHidden && !(who && (await isIn(db, who.id, id)))) fail('NOT_FOUND');
    const meetings = row.dates > 0 ? await meetingsOf(db, id) : [];
    const shown = managed ? presentManaged(row, meetings) : presentDetail(row, meetings);
    return { ...shown, ...presentOne(row) };
  });

  on(listInstructorClasses, async ({ email, ...input }, { who }) => {
    const instructor = await queryOne<{ id: string }>(db)`
      select id from "user" where email = ${email}`;
    if (!instructor || (who.role !== 'admin' && instructor.id !== who.id))
      return { items: [], total: 0 };
    const { rows, total } = await listed(db, { sort: 'new', ...input, instructor: instructor.id });
    return { items: rows.map((row) => presentManaged(row)), total };
  });

  on(exportClasses, async (input) => {
    const all = await inOrder(db, 'new').where(conditions(input)).limit(100_000).execute();
    const head = 'Name,Instructor,Email,Sport,Price,Currency,Seats,Sold,Free,Status,Feedback';
    const lines = all.map((found) => {
      const row = presentManaged(found);
      return [
        row.name,
        row.instructor,
        row.email,
        row.sport,
        dollars(found.priceCents).toFixed(2),
        (config.currency ?? 'usd').toUpperCase(),
        row.capacity,
        row.enrolled,
        row.seat,
        row.status,
        row.feedback,
      ];
    });
    return csv([head.split(','), ...lines]);
  });
}

type Listed = ClassFilter & {
  sort?: keyof typeof orders | undefined;
  page?: number | undefined;
  limit?: number | undefined;
};

const isShelf = (word: string | undefined): word is Shelf =>
  word === 'over' || statuses.some((status) => status === word);

// Each sort order has an index: the first page is as fast with a million classes.
const orders = {
  popular: ['class.sold desc', 'class.id'],
  new: ['class.created_at desc', 'class.id desc'],
  name: ['lower(class.name)', 'class.id'],
  '-name': ['lower(class.name) desc', 'class.id desc'],
  price: ['class.now_cents', 'class.id'],
  '-price': ['class.now_cents desc', 'class.id desc'],
  seat: ['class.free', 'class.id'],
  '-seat': ['class.free desc', 'class.id desc'],
  status: ['class.shelf', 'class.created_at', 'class.id'],
} as const;

const selectClass = (db: Pick<Db, 'selectFrom'>) =>
  db
    .selectFrom('class')
    .innerJoin('user', 'user.id', 'class.instructorId')
    .select(['class.id', 'class.instructorId', 'class.priceCents', 'class.capacity', 'class.free'])
    .select(['class.nowCents', 'class.meetings', 'class.meetingsLeft', 'class.partPrice'])
    .select(['class.cancelNote'])
    .select(['class.sold', 'class.status', 'class.feedback', 'class.version', 'class.changed'])
    .select(['class.minAge', 'class.maxAge', 'class.dates', 'class.proposal', 'class.proposedAt'])
    .select(facts.map((fact) => `class.${fact}` as const))
    .select(['user.name as instructor', 'user.email', 'user.image', 'user.about'])
    .select([
      sql<string | null>`class.first_day::text`.as('firstDay'),
      sql<string | null>`class.last_day::text`.as('lastDay'),
      sql<boolean>`class.closes_at <= now()`.as('ended'),
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof selectClass>['executeTakeFirstOrThrow']>>;

function listed(db: Db, filter: Listed): Promise<{ rows: Row[]; total: number }> {
  const { status, search } = filter;
  const sort = filter.sort ?? (status ? 'popular' : 'new');
  return listing(
    db,
    {
      table: 'class',
      search,
      where: (words) => conditions(filter, words),
      order: orders[sort],
      ...slice(filter),
    },
    (page) => inOrder(page, sort),
  );
}

const inOrder = (db: Pick<Db, 'selectFrom'>, sort: keyof typeof orders) =>
  selectClass(db).orderBy(sql.raw(orders[sort].join(', ')));

const present = (row: Row): Class => ({
  _id: row.id,
  ...factsOf(row),
  instructor: row.instructor,
  instructorId: row.instructorId,
  email: row.email,
  price: dollars(row.nowCents),
  seat: row.free,
  status: row.status as ClassStatus,
  level: row.level as Level,
  ...knownAges(row),
  ...presentDates(row),
});

function presentDates({ firstDay, lastDay, ended, meetings: of, meetingsLeft: left }: Row) {
  return {
    ...(firstDay && { firstDay }),
    ...(lastDay && { lastDay }),
    ...(ended && { ended: true as const }),
    ...(!ended && left < of && { left, of }),
  };
}

const presentDetail = (row: Row, meetings: ClassMeeting[] = []): ClassDetail => ({
  ...present(row),
  description: row.description,
  bring: row.bring,
  ...(meetings.length > 0 && { meetings }),
  ...(row.dates > 0 && { dates: row.dates }),
  capacity: row.capacity,
  enrolled: row.sold,
  instructorImg: row.image ?? '',
});

/** What no list says. */
const presentOne = (row: Row) => ({
  ...(row.nowCents !== row.priceCents && { fullCents: row.priceCents }),
  ...(!row.partPrice && { partPrice: false as const }),
  ...(row.cancelNote !== null && { cancelNote: row.cancelNote }),
  ...(row.about && { instructorAbout: row.about }),
});

const presentManaged = (row: Row, meetings: ClassMeeting[] = []): ManagedClass => ({
  ...presentDetail(row, meetings),
  feedback: row.feedback,
  version: row.version,
  ...changesOf(row),
  ...(row.status === 'approved' &&
    row.proposedAt && { proposedAt: row.proposedAt.toISOString(), ...proposed(row) }),
});

function proposed(row: Row): Pick<ManagedClass, 'proposal'> {
  if (row.proposal === null) return {};
  const { priceCents, capacity: seat, ...texts } = proposedValues(row);
  const price = priceCents && dollars(priceCents);
  return { proposal: { ...texts, ...(price && { price }), ...(seat && { seat }) } as Proposal };
}

/**
 * They look after somebody who is enrolled, or was until the class was cancelled: a class that is
 * denied or cancelled is hidden from others only.
 */
const isIn = (db: Db, userId: string, classId: string) =>
  exists(db)`
    select from enrolment join guardian using (participant_id)
    where class_id = ${classId} and user_id = ${userId}
      and (${activeEnrolment()} or end_kind = 'academy') limit 1`;

function plans({ on, db }: Services): void {
  on(
    listPlans,
    async () => {
      const rows = await query<PlannedClass & { nowCents: number }>(db)`
        select class.id as _id, class.name, class.sport, class.level, class.now_cents, class.free as seat, class.schedule,
          class.min_age, class.max_age, class.first_day::text as first_day,
          (select coalesce(jsonb_agg(jsonb_build_object('weekday', (kind ->> 0)::int, 'starts', kind ->> 1, 'minutes', (kind ->> 2)::int)), '[]')
            from jsonb_array_elements(class.plan) kind) as week,
          coming.meetings
        from class cross join lateral (
          select jsonb_agg(jsonb_build_object('startsAt', ${instant(sql`lower(meeting.during)`)}, 'minutes', meeting.minutes,
            'place', coalesce(place.name, '')) order by meeting.during) as meetings
          from meeting left join place on place.id = meeting.place_id
          where meeting.class_id = class.id and meeting.state = 'on' and meeting.day >= ${today}) coming
        where class.shelf = 'approved' and class.first_day is not null and coming.meetings is not null and ${onSale}
        order by class.sold desc, class.id limit ${mostPlanned}`;
      return rows.map(({ nowCents, ...row }) => Object.assign(row, { price: dollars(nowCents) }));
    },
    { channels: ['classes', 'seats'], forSignedIn: () => true },
  );
}

const taught = sql`from class where class.instructor_id = "user".id and class.shelf = 'approved'`;

/** The seats they have sold: who has the most students comes first. */
const students = `(select coalesce(sum(sold), 0) from class where class.instructor_id = "user".id)`;

function instructors({ on, db }: Services): void {
  const list: Handler<typeof listInstructors> = async (input) => {
    const order = input.sort === 'popular' ? [`${students} desc`, 'id'] : ['name', 'id'];
    const { rows, total } = await listing(
      db,
      {
        table: 'user',
        search: input.search,
        where: (words) => sql<boolean>`(${isCoach} and ${words})`,
        order,
        ...slice(input),
      },
      (page) =>
        page
          .selectFrom('user')
          .select(['id', 'name', 'email', 'image', 'about'])
          .select([
            sql<number>`(select count(*)::int ${taught})`.as('classes'),
            sql<string[]>`array(select distinct sport ${taught} order by sport)`.as('sports'),
          ])
          .orderBy(sql.raw(order.join(', '))),
    );
    const items = rows.map(({ image, about, ...row }): Instructor =>
      Object.assign(row, { img: image ?? '', ...(about && { about }) }),
    );
    return { items, total };
  };
  on(listInstructors, list, {
    channels: ['people', 'classes', 'seats'],
    forSignedIn: () => true,
  });
}
