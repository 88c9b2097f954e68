// What a change of a class does, in sentences, before it is saved.
import { describe, expect, it } from 'vitest';
import { classImpact } from '../../contract/checkout/cancel.ts';
import type { Input } from '../../contract/platform/call.ts';
import { testApp } from '../testing/app.ts';
import { aClass, anAdmin, anInstructor } from '../testing/factories.ts';
import { aMeeting, anEnrolled, inDays } from '../testing/meetings.ts';
import { aHoldRow } from '../testing/rows.ts';
import { sentences } from './impact.ts';

const app = await testApp();
const admin = await anAdmin(app);

type Asked = Omit<Input<typeof classImpact>, 'id'>;
const impact = async (id: string, asked: Asked, who = admin) =>
  (await app.send(classImpact, { id, ...asked }, who.token)).body;

/** Of 12 seats at 19.99 two are sold and one is being paid for. */
async function aBusyClass() {
  const coach = await anInstructor(app);
  const klass = await aClass(app, { instructor: coach, capacity: 12 });
  for (let n = 0; n < 2; n++) await anEnrolled(app, klass.id);
  await aHoldRow(app, { classId: klass.id });
  await app.pool.query('update class set held = 1 where id = $1', [klass.id]);
  return { ...klass, coach };
}

describe('what is counted', () => {
  it('who has paid, who is paying, and what goes back', async () => {
    const { id } = await aBusyClass();
    expect(await impact(id, { cancel: true })).toEqual({
      enrolled: 2,
      families: 2,
      held: 1,
      offered: 0,
      waiting: 0,
      card: 3_998,
      credit: 0,
      clashing: 0,
      perMeetingCents: 0,
      meetingsCents: 0,
      lines: ['2 families, $39.98 back ($39.98 card), 1 payment under way is returned.'],
    });
    const { lines } = await impact(id, { cents: 2_500 });
    expect(lines).toEqual([
      '2 families have paid: nothing changes for them. 1 is paying at $19.99. New families pay $25.00.',
    ]);
    expect((await impact(id, { cents: 1_999, seat: 12 })).lines).toEqual([]);
  });

  it('families for whom a new time clashes', async () => {
    const klass = await aClass(app);
    const { id: _id } = await aMeeting(app, klass, { day: inDays(70) });
    const student = await anEnrolled(app, klass.id);
    await anEnrolled(app, klass.id);
    const other = await aClass(app);
    await aMeeting(app, other, { day: inDays(71) });
    await anEnrolled(app, other.id, student);
    const at = async (day: string) => {
      const meetings = [{ _id, day, starts: '16:30', minutes: 60 }];
      return (await impact(klass.id, { meetings })).lines;
    };
    expect(await at(inDays(71))).toEqual([
      '2 families are told. For 1 it clashes with another class.',
    ]);
    expect(await at(inDays(72))).toEqual(['2 families are told.']);
  });

  it('what a cancelled date is worth to all', async () => {
    const klass = await aClass(app);
    const { id: _id, day } = await aMeeting(app, klass, { day: inDays(50) });
    for (let n = 0; n < 3; n++) await anEnrolled(app, klass.id);
    await app.pool.query('update payment_line set meetings = 3 where class_id = $1', [klass.id]);
    const meetings = [{ _id, day, starts: '16:00', minutes: 60, cancelled: true }];
    expect(await impact(klass.id, { meetings })).toMatchObject({
      perMeetingCents: 666,
      meetingsCents: 1_998,
    });
  });

  it('of a class of somebody else nothing', async () => {
    const { id, coach } = await aBusyClass();
    const asked = await app.send(classImpact, { id }, (await anInstructor(app)).token);
    expect(asked.body.code).toBe('NOT_FOUND');
    const [line] = (await impact(id, { cents: 2_500 }, coach)).lines;
    expect(line).toMatch(/^After approval: 2 families have paid/);
  });
});

describe('what is said', () => {
  const nothing = { enrolled: 0, families: 0, held: 0, offered: 0, waiting: 0, wanted: 0 };
  const money = { card: 0, credit: 0, clashing: 0, perMeetingCents: 0, meetingsCents: 0 };
  const klass = { status: 'approved', capacity: 10, priceCents: 9_000, asked: 0, dates: 0 };
  const say = (asked: object, now: object) =>
    sentences({ brand: 'Rally', publicUrl: '' }, Object.assign({ id: '' }, asked), {
      ...nothing,
      ...money,
      ...klass,
      ...now,
    });

  it.each([
    [
      { cents: 9_500 },
      { enrolled: 12, families: 12, held: 2, offered: 1 },
      '12 families have paid: nothing changes for them. 2 are paying and 1 has an offer at $90.00. New families pay $95.00.',
    ],
    [
      { seat: 15 },
      { waiting: 3, wanted: 4 },
      '5 more seats: 4 go to families in line at once, 1 goes on sale.',
    ],
    [{ seat: 7 }, { enrolled: 7, held: 1 }, '2 fewer are possible: 7 are sold, 1 is being paid.'],
    [
      { meetings: [] },
      { families: 18, dates: 2, clashing: 3, asked: 2 },
      '18 families are told. For 3 it clashes with another class. 2 said before that a change did not suit them.',
    ],
    [
      { cancel: true },
      { families: 18, card: 141_000, credit: 12_000, waiting: 4, held: 1 },
      '18 families, $1,530.00 back ($1,410.00 card, $120.00 credit), 4 waiting are told, 1 payment under way is returned.',
    ],
    [
      { status: 'denied' },
      { enrolled: 1, families: 1, waiting: 1, offered: 2 },
      '1 family keeps its seat, 1 waiting is told, 2 offers end.',
    ],
  ])('%j', (asked, now, words) => expect(say(asked, now)).toEqual([words]));

  it('nothing where nobody notices', () => {
    for (const asked of [{ cents: 9_500 }, { seat: 15 }, { seat: 7 }, { status: 'denied' }])
      expect(say(asked, nothing)).toEqual([]);
  });
});
