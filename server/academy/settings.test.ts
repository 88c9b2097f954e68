// The settings of the academy: who changed them first wins, what is refused, and that every process
// sees them.
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Academy, changeAcademy, readAcademy } from '../../contract/academy/academy.ts';
import type { Input } from '../../contract/platform/call.ts';
import { settings } from '../../contract/platform/settings.ts';
import { execute, query } from '../platform/db/connection.ts';
import { openAcademy } from '../platform/db/academy.ts';
import { appOn, testApp } from '../testing/app.ts';
import { aClass, anAdmin, aUser } from '../testing/factories.ts';
import { aHoldRow, aPaymentRow } from '../testing/rows.ts';

const app = await testApp();
const admin = await anAdmin(app);
type Change = Omit<Input<typeof changeAcademy>, 'version'>;

const now = async () => (await app.send(readAcademy, {}, admin.token)).body;
const change = async (wanted: Change) =>
  app.send(changeAcademy, { version: (await now()).version, ...wanted }, admin.token);
const lines = async () => {
  const rows = await query<{ detail: string }>(app.db)`
    select detail from audit where subject = 'academy' order by id desc limit 3`;
  return rows.map(({ detail }) => detail);
};

describe('the settings', () => {
  it('start as the environment says, with our sports', async () => {
    const found = await now();
    expect(found).toMatchObject({
      version: 1,
      name: 'Rally Sports Academy',
      email: 'hello@rally.test',
      timeZone: 'Europe/Lisbon',
      currency: 'usd',
      currencyStays: false,
      primary: '',
      banners: [null, null, null, null],
      sponsors: [],
    });
    expect(found.sports).toHaveLength(12);
    expect(found.sports[0]).toEqual({ name: 'Archery', icon: 'target', used: false });
  });

  it('are changed, with before and after in the log', async () => {
    const { status, body } = await change({ name: 'Baseline Club', city: 'Porto', tagline: '' });
    expect([status, body]).toEqual([200, { modifiedCount: 1, version: 2 }]);
    expect((await app.send(settings, {})).body.brand).toBe('Baseline Club');
    expect(await lines()).toEqual([
      'city: – → Porto',
      'name: Rally Sports Academy → Baseline Club',
    ]);
    expect((await change({ city: 'Porto' })).body).toEqual({ modifiedCount: 0, version: 2 });
    expect(await lines()).toHaveLength(2);
  });

  it('of another admin meanwhile: 409 names what changed', async () => {
    const { version } = await now();
    expect((await change({ phone: '+351 210 000 000' })).status).toBe(200);
    expect((await change({ street: 'Rua 1' })).status).toBe(200);
    const late = await app.send(changeAcademy, { version, city: 'Faro' }, admin.token);
    expect([late.status, late.body.code]).toEqual([409, 'ACADEMY_CHANGED']);
    expect(late.body.changed?.toSorted()).toEqual(['phone', 'street']);
    expect((await now()).city).toBe('Porto');
  });

  it('of two admins at once: one of them is refused', async () => {
    const { version } = await now();
    const move = (city: string) => app.send(changeAcademy, { version, city }, admin.token);
    const answers = await Promise.all(['Faro', 'Braga', 'Évora', 'Sintra'].map(move));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 409, 409, 409]);
  });

  it('reach the other processes', async () => {
    const other = await appOn(app.url);
    onTestFinished(() => other.close());
    await change({ name: 'Lob & Volley' });
    const brand = async () => (await other.send(settings, {})).body.brand;
    await expect.poll(brand).toBe('Lob & Volley');
  });

  it('are filled by the environment only where they are empty', async () => {
    await execute(app.db)`update academy set email = null`;
    const config = { ...app.config, brand: 'Other', contactEmail: 'a@b.test', currency: 'eur' };
    const { last } = await openAcademy(app, { on: () => {} }, config);
    expect(last).toMatchObject({ name: 'Lob & Volley', email: 'a@b.test', currency: 'eur' });
  });
});

const question = { question: '?', answer: 'Yes.' };
const golf = { name: 'Golf', icon: 'ball' } as const;
const stored = ({ name, icon }: Academy['sports'][number]) => ({ name, icon });

describe('bad settings', () => {
  let version = 0;
  beforeAll(async () => void ({ version } = await now()));

  it.each<[string, Change, string, RegExp]>([
    ['a colour that is a word', { primary: 'red' }, 'primary', /must be a colour such as/],
    ['a pale colour', { primary: '#ffd400' }, 'primary', /contrast of 1\.\d .* 4\.5 is needed/],
    ['no name', { name: ' ' }, 'name', /must not be empty/],
    ['an unknown zone', { timeZone: 'Mars/Olympus' }, 'timeZone', /IANA time zone/],
    ['an offset', { timeZone: '+01:00' }, 'timeZone', /IANA time zone/],
    ['an unknown language', { locale: 'xx_YY' }, 'locale', /such as en-GB/],
    ['a map that is a script', { mapLink: 'javascript:alert(1)' }, 'mapLink', /https/],
    ['a logo that is drawn', { logo: 'https://a.example/x.svg' }, 'logo', /no SVG/],
    ['three banners', { banners: [null, null, null] }, 'banners', /four places/],
    ['no sport', { sports: [] }, 'sports', /at least one/],
    ['31 questions', { faq: Array.from({ length: 31 }, () => question) }, 'faq', /most 30/],
    ['a sport twice', { sports: [golf, { ...golf, name: 'golf' }] }, 'sports', /twice/],
    ['a page that is too long', { terms: 'x'.repeat(20_001) }, 'terms', /at most 20000/],
  ])('%s', async (_what, wanted, field, words) => {
    const { status, body } = await app.send(changeAcademy, { version, ...wanted }, admin.token);
    expect([status, body.field]).toEqual([400, field]);
    expect(body.message).toMatch(words);
  });

  it('change nothing', async () => expect((await now()).version).toBe(version));
});

describe('the currency', () => {
  beforeEach(async () => {
    await execute(app.db)`alter table academy disable trigger currency_stays`;
    await execute(app.db)`update academy set currency = 'usd'`;
    await execute(app.db)`alter table academy enable trigger currency_stays`;
  });

  it('is the new one in a basket that is made while it changes', async () => {
    const student = await aUser(app);
    const other = await app.pool.connect();
    await other.query('begin');
    await other.query(`update academy set currency = 'chf'`);
    const made = app.pool.query<{ id: string; currency: string }>(
      'insert into basket (student_id, total_cents) values ($1, 500) returning id, currency',
      [student.id],
    );
    await other.query('commit');
    other.release();
    const [basket] = (await made).rows;
    expect(basket?.currency).toBe('chf');
    await execute(app.db)`delete from basket where id = ${basket?.id}`;
  });

  it('stays while a seat is paid for, and after the first sale', async () => {
    const [student, klass] = [await aUser(app), await aClass(app)];
    await aHoldRow(app, { studentId: student.id, classId: klass.id, state: 'held' });
    const refused = await change({ currency: 'eur' });
    expect(refused.body).toMatchObject({ code: 'CURRENCY_STAYS', field: 'currency' });
    await execute(app.db)`update hold set state = 'released', basket_id = null`;
    await execute(app.db)`update basket set state = 'closed'`;
    expect((await change({ currency: 'eur' })).status).toBe(200);
    await aPaymentRow(app, { studentId: student.id, classId: klass.id });
    expect((await now()).currencyStays).toBe(true);
    expect((await change({ currency: 'usd' })).status).toBe(409);
    // The control: without the trigger it would be changed.
    await execute(app.db)`alter table academy disable trigger currency_stays`;
    expect((await change({ currency: 'usd' })).status).toBe(200);
    await execute(app.db)`alter table academy enable trigger currency_stays`;
  });
});

describe('the sports', () => {
  it('are renamed with their classes; one in use is not removed', async () => {
    const klass = await aClass(app, { sport: 'Tennis' });
    await execute(app.db)`update class set proposed_at = now(),
      proposal = '{"sport": {"from": "Tennis", "to": "Yoga"}}' where id = ${klass.id}`;
    const rest = (await now()).sports.filter(({ name }) => name !== 'Tennis');
    expect((await change({ sports: rest.map(stored) })).body.code).toBe('SPORT_IN_USE');
    const tennis = { name: 'Lawn Tennis', icon: 'ball', was: 'Tennis' } as const;
    const used = rest.filter((sport) => sport.used);
    expect((await change({ sports: [tennis, ...used.map(stored)] })).status).toBe(200);
    const rows = await query(app.db)`
      select sport, proposal -> 'sport' as proposed from class where id = ${klass.id}`;
    expect(rows).toEqual([{ sport: 'Lawn Tennis', proposed: { from: 'Lawn Tennis', to: 'Yoga' } }]);
    expect((await now()).sports[0]).toEqual({ name: 'Lawn Tennis', icon: 'ball', used: true });
  });

  it('may swap their names', async () => {
    const padel = { name: 'Padel', icon: 'paddle' as const };
    const rest = (await now()).sports.map(stored);
    expect((await change({ sports: [padel, golf, ...rest] })).status).toBe(200);
    const swapped = [
      { ...padel, name: 'Golf', was: 'Padel' },
      { ...golf, name: 'Padel', was: 'Golf' },
    ];
    expect((await change({ sports: [...swapped, ...rest] })).status).toBe(200);
    const [first, second] = (await now()).sports;
    expect([first, second]).toMatchObject([
      { name: 'Golf', icon: 'paddle' },
      { name: 'Padel', icon: 'ball' },
    ]);
  });

  it.each([
    ['ΑΣ', 'ασ'],
    ['İx', 'ix'],
  ])('may not differ where the database sees one: %s and %s', async (one, other) => {
    const kept = (await now()).sports.map(stored);
    const added = [
      { ...golf, name: one },
      { ...golf, name: other },
    ];
    const { status, body } = await change({ sports: [...kept, ...added] });
    expect([status, body.field]).toEqual([400, 'sports']);
  });

  it('cannot be renamed from one that is not there', async () => {
    const { status, body } = await change({ sports: [{ name: 'A', icon: 'ball', was: 'B' }] });
    expect([status, body.field]).toEqual([400, 'sports.0.was']);
  });
});
