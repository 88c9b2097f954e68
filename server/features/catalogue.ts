// Reading classes: the public catalogue, answered from memory while nothing changes, and the lists of admin and instructor.
// Writing them stands in classes.ts; the counters of seats in seats.ts.
import type { Class, ClassDetail, ClassStatus, ManagedClass, Sport } from '../../contract/classes.ts';
import { exportClasses, getClass, listClasses, listInstructorClasses } from '../../contract/classes.ts';
import { cents, dollars, slice } from '../../contract/rules.ts';
import { type Database, raw, type Sql } from '../db/connection.ts';
import { countUpTo, near, prefixes, searching, tally } from '../db/lists.ts';
import { csv } from '../http/csv.ts';
import { fail } from '../http/fail.ts';
import type { Handler, On } from '../http/on.ts';

export function catalogue({ on, sql }: { on: On; sql: Database['sql'] }): void {
  const visible: Handler<typeof listClasses> = async (input, { who }) => {
    const approved = { ...input, status: 'approved' as const };
    if (who?.role !== 'admin' || input.status === 'approved') {
      const result = (await rows(sql, approved)).map(present);
      return { result, outQueryResult: result, total: await count(sql, approved) };
    }
    const every = { ...input, status: isStatus(input.status) ? input.status : undefined };
    const [result, all, total] = await Promise.all([rows(sql, approved), rows(sql, every), count(sql, every)]);
    return { result: result.map(present), outQueryResult: all.map(presentManaged), total };
  };
  // Whoever asks for the approved classes gets the same bytes; only other questions of an admin depend on who asks.
  on(listClasses, visible, { channels: ['classes'], forSignedIn: ({ status }) => status === 'approved' });

  on(getClass, async ({ id }, { who }) => {
    const row = await selectClass(sql).where('class.id', '=', id).executeTakeFirst();
    if (!row) fail('NOT_FOUND');
    if (who && (who.role === 'admin' || who.id === row.instructorId)) return presentManaged(row);
    if (row.status !== 'approved') fail('NOT_FOUND');
    return presentDetail(row);
  });

  on(listInstructorClasses, async ({ email, ...input }, { who }) => {
    const instructor = await sql.selectFrom('user').select('id').where('email', '=', email).executeTakeFirst();
    if (!instructor || (who.role !== 'admin' && instructor.id !== who.id)) return { items: [], total: 0 };
    const own = { sort: 'new' as const, ...input, instructor: instructor.id };
    return { items: (await rows(sql, own)).map(presentManaged), total: await count(sql, own) };
  });

  on(exportClasses, async (input) => {
    const all = await ordered(sql, { ...input, sort: 'new' })
      .limit(100_000)
      .execute();
    const head = ['Name', 'Instructor', 'Email', 'Sport', 'Price', 'Seats', 'Sold', 'Free', 'Status', 'Feedback'];
    const lines = all
      .map(presentManaged)
      .map((row) => [
        row.name,
        row.instructor,
        row.email,
        row.sport,
        row.price.toFixed(2),
        row.capacity,
        row.enrolled,
        row.seat,
        row.status,
        row.feedback,
      ]);
    return csv([head, ...lines]);
  });
}

interface ClassFilter {
  status?: ClassStatus | undefined;
  search?: string | undefined;
  sport?: Sport | undefined;
  instructor?: string | undefined;
  minPrice?: string | undefined;
  maxPrice?: string | undefined;
  free?: string | undefined;
  sort?: keyof typeof orders | undefined;
  page?: number | undefined;
  limit?: number | undefined;
}

const isStatus = (word: string | undefined): word is ClassStatus =>
  word === 'pending' || word === 'approved' || word === 'denied';

// Each order has its index (migration 0002), so that the first page costs the same among a million classes.
const orders = {
  popular: 'class.sold desc, class.id',
  new: 'class.created_at desc, class.id',
  name: 'lower(class.name), class.id',
  '-name': 'lower(class.name) desc, class.id desc',
  price: 'class.price_cents, class.id',
  '-price': 'class.price_cents desc, class.id desc',
  seat: 'class.capacity - class.held - class.sold, class.id',
  '-seat': 'class.capacity - class.held - class.sold desc, class.id',
  status: 'class.status, class.created_at, class.id',
} as const;

const selectClass = (sql: Pick<Sql, 'selectFrom'>) =>
  sql
    .selectFrom('class')
    .innerJoin('user', 'user.id', 'class.instructorId')
    .select(['class.id', 'class.name', 'class.img', 'class.instructor', 'class.instructorId', 'user.email'])
    .select(['class.priceCents', 'class.capacity', 'class.held', 'class.sold', 'class.status', 'class.feedback'])
    .select(['class.sport', 'class.description', 'class.ages', 'class.schedule', 'class.place']);

type Row = Awaited<ReturnType<ReturnType<typeof selectClass>['executeTakeFirstOrThrow']>>;

/** The conditions that a filter names, as SQL; none means every class. */
function conditions({ status, search, sport, instructor, minPrice, maxPrice, free }: ClassFilter) {
  const words = prefixes(search);
  const given = [
    status && raw<boolean>`class.status = ${raw.lit(status)}`, // a literal, so that the partial indexes are seen
    words && raw<boolean>`class.words @@ to_tsquery('simple', ${words})`,
    sport && raw<boolean>`class.sport = ${sport}`,
    instructor && raw<boolean>`class.instructor_id = ${instructor}`,
    minPrice && raw<boolean>`class.price_cents >= ${cents(minPrice)}`,
    maxPrice && raw<boolean>`class.price_cents <= ${cents(maxPrice)}`,
    free === 'true' && raw<boolean>`class.held + class.sold < class.capacity`,
  ].filter((condition) => typeof condition === 'object' && condition !== null);
  return given.length > 0 ? raw<boolean>`(${raw.join(given, raw` and `)})` : null;
}

function ordered(sql: Pick<Sql, 'selectFrom'>, filter: ClassFilter) {
  const where = conditions(filter);
  const query = selectClass(sql).orderBy(raw.raw(orders[filter.sort ?? 'popular']));
  return where ? query.where(where) : query;
}

function rows(sql: Sql, filter: ClassFilter): Promise<Row[]> {
  const { limit, offset } = slice(filter);
  const sort = filter.sort ?? (filter.status ? 'popular' : 'new');
  const page = (from: Pick<Sql, 'selectFrom'>) =>
    ordered(from, { ...filter, sort })
      .limit(limit)
      .offset(offset)
      .execute();
  if (!prefixes(filter.search)) return page(sql);
  return searching(limit, (where) =>
    page(
      sql.with(
        (name) => name('class').materialized(),
        (from) => {
          const all = from.selectFrom('class').selectAll();
          const matching = conditions(where === 'near' ? { ...filter, search: undefined } : filter);
          const some = matching ? all.where(matching) : all;
          return where === 'near' ? some.orderBy(raw.raw(orders[sort])).limit(near) : some;
        },
      ),
    ),
  );
}

/** The unfiltered catalogue is counted by the tally; what a person filtered is counted as far as they would turn pages. */
function count(sql: Sql, filter: ClassFilter): Promise<number> {
  const { status, ...narrowed } = filter;
  const where = conditions(narrowed);
  if (!where) return tally(sql, 'class', status);
  return countUpTo(
    sql,
    sql
      .selectFrom('class')
      .select('id')
      .where(conditions(filter) ?? where),
  );
}

const present = (row: Row): Class => ({
  _id: row.id,
  name: row.name,
  img: row.img,
  instructor: row.instructor,
  instructorId: row.instructorId,
  email: row.email,
  price: dollars(row.priceCents),
  seat: row.capacity - row.held - row.sold,
  status: row.status as ClassStatus,
  sport: row.sport as Sport,
  ages: row.ages,
  schedule: row.schedule,
});

const presentDetail = (row: Row): ClassDetail => ({
  ...present(row),
  description: row.description,
  place: row.place,
  enrolled: row.sold,
});

const presentManaged = (row: Row): ManagedClass => ({
  ...presentDetail(row),
  capacity: row.capacity,
  feedback: row.feedback,
});
