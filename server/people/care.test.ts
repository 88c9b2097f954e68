// Care facts: who reads and writes them, that a sealed row opens only where it belongs, and that
// what cannot be opened is said and not fatal.
import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { exportAccount } from '../../contract/signin/export.ts';
import { type Care, noCare, readCare, writeCare } from '../../contract/people/care.ts';
import { testApp } from '../testing/app.ts';
import { anAdmin, anInstructor, aUser, type TestUser } from '../testing/factories.ts';
import { aChild, eraseRow } from '../testing/family.ts';
import { changedMeanwhile } from '../testing/overtaken.ts';
import { care, open, seal } from './care.ts';

const app = await testApp();
let eva: TestUser;
let tom: TestUser;
let mia: { id: string };
beforeAll(async () => {
  [eva, tom] = await Promise.all([aUser(app), aUser(app)]);
  mia = await aChild(app, [eva, tom]);
});

const facts: Care = {
  allergies: 'Peanuts.\nCarries a pen',
  health: 'Asthma',
  medicine: 'Inhaler in the blue bag',
  note: '',
  contacts: [
    { name: 'Eva', relation: 'Mother', phone: '+351 912 345 678' },
    { name: 'Tom', relation: '', phone: '(21) 555-0100' },
  ],
  pickup: [{ name: 'Rosa', relation: 'Grandmother', phone: '912.345.679' }],
  mayGoAlone: true,
};
const read = (id: string, { token }: TestUser) => app.send(readCare, { id }, token);
const write = (id: string, { token }: TestUser, care: Care = facts) =>
  app.send(writeCare, { id, ...care }, token);
const auditOf = (id: string) =>
  app.db.selectFrom('audit').select(['actorId', 'action']).where('subject', '=', id).execute();

describe('guardians', () => {
  it('write the facts of a child, and each of them reads the same', async () => {
    expect((await read(mia.id, eva)).body).toEqual({ ...noCare, state: 'none', confirmedAt: null });
    // Sealed for the child, however its id is written.
    const written = await write(mia.id.toUpperCase(), eva);
    expect(written).toMatchObject({ status: 200, body: { modifiedCount: 1 } });
    const { body } = await read(mia.id, tom);
    expect(body).toEqual({ ...facts, state: 'filled', confirmedAt: expect.any(String) });
    expect(await auditOf(mia.id)).toEqual([]);
  });

  it('are asked after twelve months; the same facts confirm them', async () => {
    await write(mia.id, eva);
    await app.pool.query(
      `update care set confirmed_at = now() - interval '12 months 1 day', warned_at = now() where participant_id = $1`,
      [mia.id],
    );
    expect((await read(mia.id, tom)).body.state).toBe('old');
    await write(mia.id, tom);
    expect((await read(mia.id, tom)).body.state).toBe('filled');
    const row = app.db.selectFrom('care').selectAll().where('participantId', '=', mia.id);
    expect(await row.executeTakeFirst()).toMatchObject({ confirmedBy: tom.id, warnedAt: null });
  });

  it('who type at once do not replace what the other has saved', async () => {
    const [one, other] = [await aUser(app), await aUser(app)];
    const leo = await aChild(app, [one, other]);
    const seenBy = async (who: TestUser) => (await read(leo.id, who)).body.confirmedAt;
    const save = (who: TestUser, seen: string | null, allergies: string) =>
      app.send(writeCare, { id: leo.id, ...facts, allergies, seen }, who.token);
    expect([await seenBy(one), await seenBy(other)]).toEqual([null, null]);
    const first = await Promise.all([save(one, null, 'Bees'), save(other, null, 'Nuts')]);
    expect(first.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const seen = await seenBy(one);
    expect((await save(one, seen, 'Bees, cats')).status).toBe(200);
    expect((await save(other, seen, 'Nothing')).body.code).toBe('CARE_CHANGED');
    expect((await read(leo.id, other)).body.allergies).toBe('Bees, cats');
    expect((await save(other, await seenBy(other), 'Nothing')).status).toBe(200);
  });

  it('get them in their export, opened', async () => {
    await write(mia.id, eva);
    const { body } = await app.send(exportAccount, {}, tom.token);
    expect(body.care).toEqual([
      { participantId: mia.id, ...facts, state: 'filled', confirmedAt: expect.any(String) },
    ]);
  });
});

describe('others', () => {
  it('strangers, instructors and removed guardians find nothing', async () => {
    const child = await aChild(app, [eva, tom]);
    await write(child.id, eva);
    const removed = 'delete from guardian where user_id = $1 and participant_id = $2';
    await app.pool.query(removed, [tom.id, child.id]);
    for (const who of [tom, await aUser(app), await anInstructor(app)])
      for (const answer of [await read(child.id, who), await write(child.id, who)])
        expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
    await eraseRow(app, child);
    for (const who of [eva, await anAdmin(app)])
      expect((await read(child.id, who)).status).toBe(404);
  });

  it('an admin reads, which is audited by ids, and cannot write', async () => {
    const child = await aChild(app, [eva]);
    await write(child.id, eva);
    const admin = await anAdmin(app);
    expect((await read(child.id, admin)).body).toMatchObject(facts);
    expect(await auditOf(child.id)).toEqual([
      { actorId: admin.id, action: 'allergies and contacts read' },
    ]);
    expect((await write(child.id, admin)).status).toBe(404);
  });
});

const { mayGoAlone: _left, ...incomplete } = facts;
const contact = { name: 'Eva', relation: 'Mother', phone: '912345678' };
const nine = Array.from({ length: 9 }, () => contact);
it.each([
  ['contacts.1.phone', { ...facts, contacts: [contact, { ...contact, phone: 'call me' }] }],
  ['contacts', { ...facts, contacts: nine }],
  ['pickup', { ...facts, pickup: nine }],
  ['allergies', { ...facts, allergies: 'x'.repeat(501) }],
  ['mayGoAlone', incomplete],
])('refuses a wrong %s by its name, and stores nothing', async (field, sent) => {
  const child = await aChild(app, [eva]);
  const { status, body } = await write(child.id, eva, sent as Care);
  expect([status, body.code, body.field]).toEqual([400, 'INVALID_INPUT', field]);
  expect((await read(child.id, eva)).body.state).toBe('none');
});

it('a guardian who is removed while a read waits reads nothing', async () => {
  const { goes, leo } = await aSharedChild();
  const { status } = await whileCareIsLocked(goes, () => read(leo.id, goes));
  expect(status).toBe(404);
});

it('who is removed while an export waits exports no facts', async () => {
  const { goes } = await aSharedChild();
  const { body } = await whileCareIsLocked(goes, () => app.send(exportAccount, {}, goes.token));
  expect(body.care).toEqual([]);
});

/** Two look after the child, whose facts are stored. */
async function aSharedChild() {
  const [stays, goes] = [await aUser(app), await aUser(app)];
  const leo = await aChild(app, [stays, goes]);
  await write(leo.id, stays);
  return { goes, leo };
}

/** The guardian is removed while the work waits for the facts. */
const whileCareIsLocked = <T>({ id }: { id: string }, work: () => Promise<T>) =>
  changedMeanwhile(app, {
    lock: ['lock table care'],
    work,
    change: ['delete from guardian where user_id = $1', [id]],
  });

it('a write that waits for an erasure stores nothing', async () => {
  const child = await aChild(app, [eva]);
  const { status } = await changedMeanwhile(app, {
    lock: ['select from participant where id = $1 for update', [child.id]],
    work: () => write(child.id, eva),
    change: ['delete from guardian where participant_id = $1', [child.id]],
  });
  expect(status).toBe(404);
  const { rows } = await app.pool.query('select from care where participant_id = $1', [child.id]);
  expect(rows).toEqual([]);
});

const key = (id: number) => ({ id, key: randomBytes(32) });

describe('a sealed row', () => {
  const keys = [key(2), key(1)];
  const words = fc.string({ unit: 'grapheme', maxLength: 60 });
  const someone = fc.record({ name: words, relation: words, phone: words });
  const someFacts: fc.Arbitrary<Care> = fc.record({
    allergies: words,
    health: words,
    medicine: words,
    note: words,
    contacts: fc.array(someone, { maxLength: 4 }),
    pickup: fc.array(someone, { maxLength: 8 }),
    mayGoAlone: fc.boolean(),
  });

  it('opens as it was, and only whole, for its child, by its key', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), someFacts, fc.nat(), (mine, other, care, at) => {
        fc.pre(mine !== other);
        const row = { participantId: mine, ...seal(keys, mine, care) };
        expect(open(keys, row)).toEqual(care);
        expect(open(keys, { ...row, participantId: other })).toBeNull();
        const turned = Buffer.from(row.sealed);
        const bit = at % (turned.length * 8);
        turned[bit >> 3] = (turned[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(open(keys, { ...row, sealed: turned })).toBeNull();
        expect(
          open(keys, { ...row, sealed: row.sealed.subarray(0, at % row.sealed.length) }),
        ).toBeNull();
        expect(open(keys, { ...row, key: 1 })).toBeNull();
        expect(open([key(2)], row)).toBeNull();
        expect(open([], row)).toBeNull();
      }),
    );
  });

  it('differs each time, and contains no word', () => {
    const [one, two] = [seal(keys, 'x', facts), seal(keys, 'x', facts)];
    expect(one.sealed.equals(two.sealed)).toBe(false);
    expect(one.sealed.toString('latin1')).not.toMatch(/Peanuts|912/);
  });

  it('that cannot be opened says so and can be entered again', async () => {
    const [a, b] = [await aChild(app, [eva]), await aChild(app, [eva])];
    await write(a.id, eva);
    await app.pool.query(
      `insert into care (participant_id, sealed, key) select $1, sealed, key from care where participant_id = $2`,
      [b.id, a.id],
    );
    const { status, body } = await read(b.id, eva);
    expect([status, body.state, body.allergies]).toEqual([200, 'unreadable', '']);
    expect((await app.send(exportAccount, {}, eva.token)).status).toBe(200);
    const lines = app.logs.filter((line) => line.includes(b.id)).join('');
    expect(lines).toContain('care facts cannot be opened');
    expect(lines).not.toContain('Peanuts');
    await write(b.id, eva);
    expect((await read(b.id, eva)).body).toMatchObject({ ...facts, state: 'filled' });
  });

  it('of an older key is sealed anew, those that do not open stay', async () => {
    await app.pool.query('delete from care');
    const [older] = app.config.careKeys;
    const newer = { id: 2, key: randomBytes(32) };
    const children = await Promise.all(Array.from({ length: 5 }, () => aChild(app, [eva])));
    for (const { id } of children) await write(id, eva);
    await app.pool.query(`update care set sealed = 'x' where participant_id = $1`, [
      children.map(({ id }) => id).toSorted()[0],
    ]);
    const box = care({
      ...app,
      on: () => undefined,
      config: { careKeys: [newer, ...(older ? [older] : [])] },
      log: app.server.log,
    });
    expect(await box.reseal(3)).toBe(3);
    expect(await box.reseal(3)).toBe(1);
    expect(await box.reseal(3)).toBe(0);
    const opened = await box.openCare(app.db, { ids: children.map(({ id }) => id) });
    const states = [...opened.values()].map(({ state, allergies }) => `${state} ${allergies}`);
    expect(states.toSorted()).toEqual([
      ...Array.from({ length: 4 }, () => `filled ${facts.allergies}`),
      'unreadable ',
    ]);
    // The older key is no longer needed by what was sealed anew.
    const { rows } = await app.pool.query('select key from care order by key');
    expect(rows.map((row: { key: number }) => row.key)).toEqual([1, 2, 2, 2, 2]);
  });
});
