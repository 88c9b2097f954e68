import { describe, expect, it } from 'vitest';
import {
  addClosure,
  addPlace,
  changePlace,
  listClosures,
  listPlaces,
  removeClosure,
} from '../../contract/classes/places.ts';
import { testApp, unique } from '../testing/app.ts';
import { aClass, anAdmin } from '../testing/factories.ts';
import { aMeeting, inDays } from '../testing/meetings.ts';

const app = await testApp();
const admin = await anAdmin(app);

const add = (name: string, capacity = 20) =>
  app.send(addPlace, { name, capacity, address: 'Rua 1' }, admin.token);

describe('a place', () => {
  it('is added, listed and changed, with a line in the audit log', async () => {
    const name = unique('Court');
    const { status, body } = await add(name);
    expect(status).toBe(201);
    const id = body.insertedId;
    await app.send(changePlace, { id, capacity: 30 }, admin.token);
    expect((await app.send(changePlace, { id, capacity: 30 }, admin.token)).body).toEqual({
      modifiedCount: 0,
    });
    const { body: all } = await app.send(listPlaces, {});
    expect(all.find(({ _id }) => _id === id)).toEqual({
      _id: id,
      name,
      address: 'Rua 1',
      capacity: 30,
      closed: false,
    });
    const log = app.db.selectFrom('audit').select('action').where('subject', '=', id);
    const lines = await log.execute();
    expect(lines.map(({ action }) => action)).toEqual(['place added', 'place changed']);
  });

  it('has a name of its own, whatever its case', async () => {
    const name = unique('Hall');
    await add(name);
    const again = await add(name.toUpperCase());
    expect([again.status, again.body.code, again.body.field]).toEqual([409, 'NAME_TAKEN', 'name']);
    const { body } = await add(unique('Hall'));
    const renamed = await app.send(changePlace, { id: body.insertedId, name }, admin.token);
    expect(renamed.body.code).toBe('NAME_TAKEN');
  });

  it('that is renamed has its new name in the words of its classes', async () => {
    const old = unique('Court');
    const { insertedId: id } = (await add(old)).body;
    const klass = await aClass(app);
    await aMeeting(app, klass, { day: inDays(6), placeId: id });
    const name = unique('Centre Court');
    await app.send(changePlace, { id, name }, admin.token);
    const { rows } = await app.pool.query('select place from class where id = $1', [klass.id]);
    expect(rows).toEqual([{ place: name }]);
  });

  it('is closed only once the meetings that it names are gone', async () => {
    const { insertedId: id } = (await add(unique('Court'))).body;
    const klass = await aClass(app);
    const meeting = await aMeeting(app, klass, { day: inDays(5), placeId: id, state: 'proposed' });
    const close = () => app.send(changePlace, { id, closed: true }, admin.token);
    expect((await close()).body).toMatchObject({
      code: 'PLACE_IN_USE',
      message: '1 meeting is planned here: move or cancel it first.',
      clashes: [
        { day: inDays(5), starts: '16:00', kind: 'place', with: klass.name, classId: klass.id },
      ],
    });
    await app.pool.query(`update meeting set state = 'cancelled' where id = $1`, [meeting.id]);
    expect((await close()).status).toBe(200);
  });
});

describe('a holiday', () => {
  it('is added, listed by its first day and removed', async () => {
    const later = { name: unique('Later'), firstDay: '2027-12-24', lastDay: '2027-12-31' };
    const sooner = { name: unique('Sooner'), firstDay: '2027-02-08', lastDay: '2027-02-08' };
    const { body } = await app.send(addClosure, later, admin.token);
    await app.send(addClosure, sooner, admin.token);
    const { body: all } = await app.send(listClosures, {});
    expect(all.map(({ name, firstDay }) => [name, firstDay])).toEqual([
      [sooner.name, '2027-02-08'],
      [later.name, '2027-12-24'],
    ]);
    const remove = () => app.send(removeClosure, { id: body.insertedId }, admin.token);
    expect((await remove()).body).toEqual({ deletedCount: 1 });
    expect((await remove()).status).toBe(404);
    expect((await app.send(listClosures, {})).body).toHaveLength(1);
  });

  it.each([
    ['ends before it begins', '2027-02-08', '2027-02-07'],
    ['is longer than a year', '2027-02-08', '2028-02-10'],
  ])('that %s is refused', async (_name, firstDay, lastDay) => {
    const { body } = await app.send(addClosure, { name: 'x', firstDay, lastDay }, admin.token);
    expect(body.field).toBe('lastDay');
  });
});
