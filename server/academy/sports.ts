// The list of sports. A foreign key keeps the sports of classes and discounts; a new name reaches
// both by its cascade. What the database refuses: settings.ts.
import type { changeAcademy } from '../../contract/academy/academy.ts';
import type { Parsed } from '../../contract/platform/call.ts';
import { type Db, execute } from '../platform/db/connection.ts';
import { refuseField } from '../platform/http/fail.ts';

type Sports = NonNullable<Parsed<typeof changeAcademy>['sports']>;

/** Under the lock of the academy's row: one change at a time. Null when the list is the same. */
export async function changeSports(
  db: Db,
  wanted: Sports,
): Promise<{ before: string; after: string } | null> {
  const found = await db.selectFrom('sport').selectAll().orderBy('rank').orderBy('name').execute();
  const before = named(found);
  const known = new Set(found.map(({ name }) => name));
  const kept = new Set(wanted.map(({ was, name }) => was ?? (known.has(name) ? name : null)));
  refuseUnknown(wanted, known);
  const renamed = wanted.filter(({ was, name }) => was !== undefined && was !== name);
  if (before === named(wanted) && renamed.length === 0) return null;
  await lockClassesOf(db, renamed);
  // Removed first: a new name may be one that was given up.
  const removed = found.filter(({ name }) => !kept.has(name)).map(({ name }) => name);
  if (removed.length > 0) await execute(db)`delete from sport where name = any (${removed})`;
  await rename(db, renamed);
  for (const [rank, { name, icon }] of wanted.entries())
    await execute(db)`insert into sport (name, icon, rank) values (${name}, ${icon}, ${rank})
      on conflict (name) do update set icon = excluded.icon, rank = excluded.rank`;
  const after = [named(wanted), ...renamed.map(({ was, name }) => `${was} is now ${name}`)];
  return { before, after: after.join('; ') };
}

const named = (list: readonly { name: string; icon: string }[]) =>
  list.map(({ name, icon }) => `${name} (${icon})`).join(', ');

function refuseUnknown(wanted: Sports, known: ReadonlySet<string>): void {
  const seen = new Set<string>();
  for (const [at, { name, was }] of wanted.entries()) {
    const origin = was ?? name;
    if (was !== undefined && !known.has(was))
      refuseField(`sports.${at}.was`, 'is not a sport of the academy');
    if (known.has(origin) && seen.has(origin))
      refuseField(`sports.${at}.was`, 'is in the list already');
    seen.add(origin);
  }
}

/** Before the sports (docs/locking.md): who changes the sport of a class has locked the class. */
async function lockClassesOf(db: Db, renamed: Sports): Promise<void> {
  const names = renamed.map(({ was }) => was);
  if (names.length > 0)
    await execute(db)`select from class where sport = any (${names}) or proposal ? 'sport'
      order by id for update`;
}

async function rename(db: Db, renamed: Sports): Promise<void> {
  if (renamed.length === 0) return;
  // Two sports may swap their names: those that are in the way are named by number first.
  const isTaken = (was: string | undefined) =>
    renamed.some(({ name }) => name.toLowerCase() === was?.toLowerCase());
  const from = renamed.map(({ was, name }, at) =>
    was !== name && isTaken(was) ? `\u0001${at}` : was,
  );
  for (const [at, { was }] of renamed.entries())
    if (from[at] !== was)
      await execute(db)`update sport set name = ${from[at]} where name = ${was}`;
  for (const [at, { name }] of renamed.entries())
    await execute(db)`update sport set name = ${name} where name = ${from[at]}`;
  // Also in what is proposed. One statement: nothing is renamed twice.
  await execute(db)`update class set proposal = jsonb_set(proposal, '{sport}', (
      select jsonb_object_agg(key, coalesce(map.name, value))
      from jsonb_each_text(proposal -> 'sport') left join unnest(${renamed.map(({ was }) => was)}::text[],
        ${renamed.map(({ name }) => name)}::text[]) map (was, name) on map.was = value))
    where proposal ? 'sport'`;
}
