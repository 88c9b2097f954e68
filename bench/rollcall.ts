// The roll call: the roster of 30 people with their care facts against without, and a batch of 100
// marks against one mark.
import { noCare } from '../contract/care.ts';
import { seal } from '../server/features/people/care.ts';
import {
  alternate,
  environment,
  median,
  type Result,
  startDatabase,
  startRally,
  tokenOf,
} from './harness.ts';

const people = 30;
const classId = 'cccccccc-0000-4000-8000-000000000000';
const userId = (n: number) => `dddddddd-0000-4000-8000-${String(n).padStart(12, '0')}`;
const facts = {
  ...noCare,
  allergies: 'Peanuts, and milk in large amounts',
  health: 'Asthma. The inhaler is in the red bag.',
  contacts: [{ name: 'Eva', relation: 'aunt', phone: '+351 912 345 678' }],
};

type Query = (text: string) => Promise<Record<string, unknown>[]>;

/** A class that met ten times with a roll call and meets in an hour. */
async function fill(query: Query): Promise<void> {
  const [id = '', key = ''] = environment.CARE_KEYS.split(':');
  const keys = [{ id: Number(id), key: Buffer.from(key, 'base64') }];
  const sealed = Array.from({ length: people }, (_, n) => {
    const { sealed, key } = seal(keys, userId(n), facts);
    return `('${userId(n)}'::uuid, '\\x${sealed.toString('hex')}'::bytea, ${key})`;
  });
  const ofUser = `('dddddddd-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid`;
  await query(`
    update academy set time_zone = 'UTC';
    insert into "user" (id, name, email, role)
      select ${ofUser}, 'Student ' || n, 's' || n || '@example.com', 'student' from generate_series(0, ${people - 1}) n;
    insert into "user" (name, email, role) values ('Ana', 'ana@example.com', 'instructor');
    insert into class (id, instructor_id, name, status, img, price_cents, capacity, sport)
      select '${classId}', id, 'Class', 'approved', '/media/class/first-touch-soccer.webp', 1000, 40, 'Yoga'
      from "user" where email = 'ana@example.com';
    with baskets as (
      insert into basket (student_id, total_cents, state, intent_id)
      select ${ofUser}, 1000, 'paid', 'pi_' || n from generate_series(0, ${people - 1}) n returning id, student_id, intent_id),
    paid as (
      insert into hold (basket_id, student_id, participant_id, class_id, list_cents, slot, state)
      select id, student_id, student_id, '${classId}', 1000, 1, 'consumed' from baskets returning id, basket_id),
    recorded as (
      insert into payment (basket_id, intent_id, student_id, email, customer, item_name, amount_cents, currency, status)
      select id, intent_id, student_id, 'x', 'x', 'Class', 1000, 'usd', 'succeeded' from baskets
      returning id, student_id, basket_id),
    lines as (
      insert into payment_line (payment_id, hold_id, student_id, participant_id, class_id, item_name, participant, list_cents, worth_cents, outcome)
      select recorded.id, paid.id, student_id, student_id, '${classId}', 'Class', 'x', 1000, 1000, 'enrolled'
      from recorded join paid using (basket_id) returning *)
    insert into enrolment (payment_id, line_id, student_id, participant_id, class_id, created_at)
      select payment_id, id, student_id, student_id, class_id, now() - interval '90 days' from lines;
    insert into meeting (class_id, instructor_id, day, starts, minutes, state)
      select '${classId}', instructor_id, at::date, at::time(0), 60, 'on'
      from class, generate_series(0, 10) n, lateral (select now() at time zone 'UTC' + interval '1 hour' - n * interval '7 days' as at) w
      where class.id = '${classId}';
    insert into mark (id, meeting_id, participant_id, status, at)
      select gen_random_uuid(), meeting.id, participant.id, 'present', lower(during)
      from meeting, participant where lower(during) < now() and participant.id in (select student_id from enrolment);
    insert into care (participant_id, sealed, key) values ${sealed.join(', ')};
    analyze`);
}

export async function rollcall({ rounds = 10 } = {}): Promise<Result[]> {
  const server = await startDatabase();
  const database = await server.database('rollcall');
  await fill(database.query);
  const rally = await startRally({ DATABASE_URL: database.url, DATA_DIR: server.dataDir });
  const authorization = `Bearer ${await tokenOf(database, 'ana@example.com')}`;
  const [meeting] = await database.query('select id from meeting order by day desc limit 1');
  const meetingId = String(meeting?.['id']);

  const roster = (care: boolean) => () =>
    often(async () => {
      const address = `${rally.url}/api/classes/roster/${classId}?care=${care}`;
      const body = await ask(address, { headers: { authorization } });
      if (body.split('Peanuts').length - 1 !== (care ? people : 0))
        throw new Error('The roster has other care facts than it should have');
    });
  const send = (count: number) => async () => {
    // A person has at most 100 marks of one account in a meeting.
    await database.query(`delete from mark where meeting_id = '${meetingId}'`);
    return often(async () => {
      const marks = Array.from({ length: count }, (_, n) => ({
        _id: crypto.randomUUID(),
        meetingId,
        participantId: userId(n % people),
        status: 'present',
        at: new Date().toJSON(),
      }));
      const body = await ask(`${rally.url}/api/marks`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ marks }),
      });
      if (body.split('"saved"').length - 1 !== count) throw new Error(`Not saved: ${body}`);
    });
  };
  const compare = async (
    what: string,
    atMost: number,
    [one, other]: readonly [() => Promise<number>, () => Promise<number>],
  ): Promise<Result> => {
    await one();
    await other();
    const run = await alternate(rounds, one, other);
    const detail = `p50 ${run.one.toFixed(1)} against ${run.other.toFixed(1)} ms`;
    return { what, ratio: run.ratio, target: { atMost }, detail };
  };

  try {
    return [
      await compare('roster of 30 with care facts / without', 2, [roster(true), roster(false)]),
      await compare('POST /marks of 100 / of 1', 5, [send(100), send(1)]),
    ];
  } finally {
    await rally.stop();
    await server.stop();
  }
}

async function ask(url: string, init: RequestInit): Promise<string> {
  const answer = await fetch(url, init);
  const body = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${body}`);
  return body;
}

/** The p50 of several in a row, in milliseconds. */
async function often(once: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 15; n++) {
    const started = performance.now();
    await once();
    times.push(performance.now() - started);
  }
  return median(times);
}
