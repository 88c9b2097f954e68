// Places and holidays of the academy.
import type { Services } from '../platform/services.ts';
import type { Clash } from '../../contract/platform/clash.ts';
import {
  addClosure,
  addPlace,
  changePlace,
  type Closure,
  listClosures,
  listPlaces,
  type Place,
  removeClosure,
} from '../../contract/classes/places.ts';
import { type Db, execute, query, sql, queryOne, type RowOf } from '../platform/db/connection.ts';
import { changed, unchanged } from '../platform/db/write.ts';
import { fail, refusing } from '../platform/http/fail.ts';
import { lockMeetings, lockPlan } from './meetings.ts';

export function places({ on, db, write }: Services): void {
  on(
    listPlaces,
    () =>
      query<Place>(db)`
        select id as _id, name, address, capacity, closed from place order by lower(name)`,
    { channels: ['classes'] },
  );

  on(addPlace, ({ name, capacity, address = '' }, { who }) =>
    write(who, async (db) => {
      const id = crypto.randomUUID();
      await execute(db)`insert into place (id, name, address, capacity)
        values (${id}, ${name}, ${address}, ${capacity})`;
      const audit = { action: 'place added', subject: id, detail: name } as const;
      return { answer: { insertedId: id }, audit };
    }).catch(nameTaken),
  );

  on(changePlace, ({ id, ...changes }, { who }) =>
    write(who, async (db) => {
      await lockPlan(db);
      const found =
        (await queryOne<RowOf<'place', keyof Omit<Place, '_id'>>>(
          db,
        )`select * from place where id = ${id} for update`) ?? fail('NOT_FOUND');
      if (changes.name) await lockClassesAt(db, id);
      const different = Object.entries(changes).filter(
        ([name, value]) => value !== found[name as keyof typeof found],
      );
      if (different.length === 0) return unchanged;
      if (changes.closed) await refuseInUse(db, id);
      await db
        .updateTable('place')
        .set(Object.fromEntries(different))
        .where('id', '=', id)
        .execute();
      if (changes.name) await retell(db, id);
      const detail = `${found.name}: ${different.map(([name, value]) => `${name} ${value}`).join(', ')}`;
      return changed({ action: 'place changed', subject: id, detail });
    }).catch(nameTaken),
  );

  on(
    listClosures,
    () =>
      query<Closure>(db)`
        select id as _id, name, first_day::text as first_day, last_day::text as last_day
        from closure order by closure.first_day, closure.last_day, id`,
    { channels: ['classes'] },
  );

  on(addClosure, ({ name, firstDay, lastDay }, { who }) =>
    write(who, async (db) => {
      const id = crypto.randomUUID();
      await execute(db)`insert into closure (id, name, first_day, last_day)
        values (${id}, ${name}, ${firstDay}, ${lastDay})`;
      const detail = `${name}: ${firstDay} – ${lastDay}`;
      const audit = { action: 'holiday added', subject: id, detail } as const;
      return { answer: { insertedId: id }, audit };
    }),
  );

  on(removeClosure, ({ id }, { who }) =>
    write(who, async (db) => {
      const gone =
        (await queryOne<{ name: string }>(db)`
          delete from closure where id = ${id} returning name`) ?? fail('NOT_FOUND');
      const audit = { action: 'holiday removed', subject: id, detail: gone.name } as const;
      return { answer: { deletedCount: 1 }, audit };
    }),
  );
}

async function retell(db: Db, id: string) {
  await lockMeetings(db, sql`place_id = ${id}`);
  await execute(db)`update meeting set place_id = place_id where place_id = ${id}`;
}

const meetsAt = (placeId: string) =>
  sql`class.id in (select class_id from meeting where place_id = ${placeId})`;

const lockClassesAt = (db: Db, placeId: string) =>
  execute(db)`select from class where ${meetsAt(placeId)} order by id for update`;

async function refuseInUse(db: Db, placeId: string): Promise<void> {
  const rows = await query<Required<Clash> & { all: number }>(db)`
    select meeting.day::text as day, to_char(starts, 'HH24:MI') as starts, 'place' as kind,
      class.name as "with", class_id, (count(*) over ())::int as all
    from meeting join class on class.id = meeting.class_id
    where place_id = ${placeId} and state <> 'cancelled' and upper(during) > now()
    order by day, starts, meeting.id limit 20`;
  const [first] = rows;
  if (!first) return;
  const planned = first.all === 1 ? '1 meeting is' : `${first.all} meetings are`;
  const message = `${planned} planned here: move or cancel ${first.all === 1 ? 'it' : 'them'} first.`;
  const clashes = rows.map(({ all: _all, ...clash }) => clash);
  fail('PLACE_IN_USE', { field: 'closed', message, clashes });
}

const nameTaken = refusing({ place_name: () => fail('NAME_TAKEN', { field: 'name' }) });
