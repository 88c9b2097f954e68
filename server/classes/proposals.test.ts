// A change waits while the class stays on sale, and an approval is bound to what was seen.
import { describe, expect, it } from 'vitest';
import {
  approveClass,
  denyClass,
  getClass,
  giveFeedback,
  refuseChange,
  updateClass,
} from '../../contract/classes/classes.ts';
import { adminFigures } from '../../contract/academy/figures.ts';
import { listEnrolments } from '../../contract/checkout/payments.ts';
import { testApp } from '../testing/app.ts';
import { aClass, anAdmin, anInstructor, aUser, type TestUser } from '../testing/factories.ts';
import { anEnrolled, mailsAbout } from '../testing/meetings.ts';

const app = await testApp();
const admin = await anAdmin(app);
const coach = await anInstructor(app);

const row = (id: string) =>
  app.db.selectFrom('class').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const change = (id: string, facts: object, who: TestUser = coach) =>
  app.send(updateClass, { id, ...facts }, who.token);
const approve = (id: string, seen: object = {}) =>
  app.send(approveClass, { id, ...seen }, admin.token);
const deny = (id: string) => app.send(denyClass, { id }, admin.token);
const managed = async (id: string, who: TestUser = admin) => {
  const { body } = await app.send(getClass, { id }, who.token);
  return body as Extract<typeof body, { version: number }>;
};

/** An approved class as the API makes it, with a time and a place. */
async function onSale(plan = { schedule: 'Mon 16:00', place: 'Court 1' }) {
  const klass = await aClass(app, { instructor: coach, status: 'pending' });
  await change(klass.id, plan);
  await approve(klass.id);
  return klass;
}

/** So that it is on the first page whatever other tests add. */
const waitLongest = (id: string) =>
  app.pool.query(`update class set proposed_at = '2000-01-01' where id = $1`, [id]);
const waiting = async (id: string) => {
  const { body } = await app.send(adminFigures, {}, admin.token);
  return body.waiting.find((found) => found._id === id);
};

/** The rows of My Enrolled Classes. */
const plan = async ({ email, token }: TestUser, search = '') => {
  const { body } = await app.send(listEnrolments, { email, ...(search && { search }) }, token);
  return body.map(({ name, schedule, place }) => ({ name, schedule, place }));
};
const mails = async (who: TestUser) => {
  const found = await mailsAbout(app, 'New time or place');
  return found.filter(({ to }) => to === who.email);
};

describe('a class that is changed after the admin looked at it', () => {
  it('is pending again when it was denied, with what changed', async () => {
    const { id } = await aClass(app, { instructor: coach, status: 'pending' });
    await deny(id);
    await app.send(giveFeedback, { id, feedback: 'Too early in the day.' }, admin.token);
    await change(id, { schedule: 'Sat 11:00', place: 'Hall 2' });
    const feedback = 'Too early in the day.';
    const seen = { feedback, changed: ['schedule', 'place'] };
    expect(await managed(id)).toMatchObject({ status: 'pending', ...seen });
    expect((await row(id)).proposedAt).not.toBeNull();
    await waitLongest(id);
    expect(await waiting(id)).toMatchObject(seen);
    await change(id, { name: 'Another name' });
    expect((await managed(id)).changed).toEqual(['schedule', 'place', 'name']);
  });

  it('is pending again when only the price of a denied one changed', async () => {
    const { id } = await aClass(app, { instructor: coach, status: 'denied' });
    await change(id, { price: 25, seat: 3 });
    expect(await managed(id)).toMatchObject({ status: 'pending', changed: ['price', 'seat'] });
  });

  it('stays denied when nothing changed, or by the admin', async () => {
    const { id, name } = await aClass(app, { instructor: coach, status: 'denied' });
    await change(id, { name });
    await change(id, { schedule: 'Sun 9:00' }, admin);
    expect((await managed(id)).status).toBe('denied');
  });

  it('names nothing before a decision or after the next one', async () => {
    const { id } = await aClass(app, { instructor: coach, status: 'pending' });
    await change(id, { schedule: 'Sat 11:00' });
    expect(await managed(id)).not.toHaveProperty('changed');
    await deny(id);
    await change(id, { schedule: 'Sat 12:00' });
    await approve(id);
    expect(await managed(id)).not.toHaveProperty('changed');
  });
});

describe('a change of a class on sale', () => {
  it('waits while a seat is sold, and leaves the new price alone', async () => {
    const klass = await aClass(app, { instructor: coach, capacity: 2 });
    await anEnrolled(app, klass.id);
    await change(klass.id, { description: 'Bring water.', price: 30 });
    await anEnrolled(app, klass.id);
    await change(klass.id, { price: 25 }, admin);
    const { status, proposal, proposedAt } = await managed(klass.id);
    expect([status, proposal]).toEqual(['approved', { description: 'Bring water.' }]);
    expect((await approve(klass.id, { proposedAt })).body).toEqual({ modifiedCount: 1 });
    const after = { description: 'Bring water.', priceCents: 2_500, sold: 2, proposal: null };
    expect(await row(klass.id)).toMatchObject(after);
  });

  it('is merged with a further one, and waits for the office', async () => {
    const { id, name } = await onSale();
    await change(id, { minAge: 6, name: 'Another' });
    const { proposedAt } = await managed(id);
    await change(id, { maxAge: 8, name });
    const next = await managed(id);
    expect(next.proposal).toEqual({ minAge: 6, maxAge: 8, ages: '6–8 years' });
    expect((await approve(id, { proposedAt })).body.code).toBe('CLASS_CHANGED');
    await waitLongest(id);
    expect(await waiting(id)).toMatchObject({ status: 'approved', changed: ['ages'] });
    await change(id, { maxAge: 12 }, admin);
    expect((await managed(id)).proposal).toBeUndefined();
  });

  it('is withdrawn by its coach, or refused with a reason', async () => {
    const { id, name } = await onSale();
    const stranger = await anInstructor(app);
    await change(id, { name: 'Another' });
    expect((await app.send(refuseChange, { id }, stranger.token)).status).toBe(404);
    expect((await app.send(refuseChange, { id }, coach.token)).body.modifiedCount).toBe(1);
    await change(id, { name: 'Another' });
    const { proposedAt } = await managed(id);
    expect((await app.send(refuseChange, { id }, admin.token)).body.field).toBe('reason');
    await app.send(refuseChange, { id, reason: 'Too long.', proposedAt }, admin.token);
    expect(await row(id)).toMatchObject({ name, proposal: null, proposedAt: null });
    const [mail] = await mailsAbout(app, `Your change of ${name} was refused`);
    expect([mail?.to, mail?.text.includes('Too long.')]).toEqual([coach.email, true]);
  });

  it('is not made of another class than it was for', async () => {
    const { id } = await onSale();
    await change(id, { seat: 1, place: 'Hall' });
    await app.pool.query(`update class set place = 'Elsewhere' where id = $1`, [id]);
    expect((await approve(id)).body.code).toBe('CLASS_CHANGED');
    await app.pool.query(`update class set place = 'Court 1' where id = $1`, [id]);
    for (let n = 0; n < 2; n += 1) await anEnrolled(app, id);
    expect((await approve(id)).body.code).toBe('SEATS_BELOW_SOLD');
  });

  it('belongs to an approved class only, says the database', async () => {
    const { id } = await onSale();
    await change(id, { name: 'Another' });
    const refused = /class_proposal|class_waits/;
    for (const set of [`status = 'denied'`, 'proposed_at = null', `proposal = '{}'`])
      await expect(app.pool.query(`update class set ${set} where id = $1`, [id])).rejects.toThrow(
        refused,
      );
    await deny(id);
    expect(await row(id)).toMatchObject({ status: 'denied', proposal: null, proposedAt: null });
  });
});

describe('an approval', () => {
  it('is refused when the class was changed since the look', async () => {
    const { id } = await aClass(app, { instructor: coach, status: 'pending' });
    const { version } = await managed(id);
    await change(id, { name: 'Something else' });
    const late = await approve(id, { version });
    expect([late.status, late.body.code]).toEqual([409, 'CLASS_CHANGED']);
    const now = await managed(id);
    expect((await approve(id, { version: now.version })).body).toEqual({ modifiedCount: 1 });
  });

  it('does not depend on the price and the seats', async () => {
    const { id } = await aClass(app, { instructor: coach, status: 'pending' });
    const { version } = await managed(id);
    await change(id, { price: 30, seat: 9 });
    expect((await approve(id, { version })).status).toBe(200);
  });
});

describe('an enrolled student', () => {
  it('sees what was approved, and is mailed once at the change', async () => {
    const klass = await onSale();
    const who = await anEnrolled(app, klass.id);
    const gone = await anEnrolled(app, klass.id);
    await app.pool.query(
      `update enrolment set state = 'cancelled', end_kind = 'office' where student_id = $1`,
      [gone.id],
    );
    const old = { name: klass.name, schedule: 'Mon 16:00', place: 'Court 1' };
    const next = { name: 'New name', schedule: 'Sat 7:00', place: 'Other side of town' };
    await change(klass.id, next);
    expect(await plan(who)).toEqual([old]);
    expect(await plan(who, 'Court')).toEqual([old]);
    expect(await plan(who, 'Other side')).toEqual([]);
    await change(klass.id, { schedule: 'Sat 8:00' });
    await approve(klass.id);
    expect(await plan(who)).toEqual([{ ...next, schedule: 'Sat 8:00' }]);

    const [mail, ...more] = await mails(who);
    expect(more).toEqual([]);
    expect(mail?.text).toContain('Mon 16:00 → Sat 8:00');
    expect(mail?.text).toContain('Court 1 → Other side of town');
    expect(mail?.text).not.toContain('Sat 7:00');
    expect(await mails(gone)).toEqual([]);
  });

  it('is mailed when an admin changes time or place only', async () => {
    const klass = await onSale();
    const who = await anEnrolled(app, klass.id);
    await change(klass.id, { description: 'Bring water.', price: 30 }, admin);
    await change(klass.id, { ages: '8 to 12' });
    await approve(klass.id);
    await change(klass.id, { place: 'Court 2' }, admin);
    const found = await mails(who);
    expect(found.map(({ text }) => text.includes('Court 1 → Court 2'))).toEqual([true]);
    expect(found[0]?.text).not.toContain('Mon 16:00 →');
  });

  it('keeps the page of a class that is denied, unlike others', async () => {
    const klass = await onSale();
    const who = await anEnrolled(app, klass.id);
    expect((await deny(klass.id)).body).toEqual({ modifiedCount: 1 });
    const read = async (one: TestUser) =>
      (await app.send(getClass, { id: klass.id }, one.token)).status;
    expect([await read(who), await read(await aUser(app))]).toEqual([200, 404]);
  });
});
