// Guardians: invited by mail, accepted, removed. The last one stays.
import { describe, expect, it } from 'vitest';
import { getAccount } from '../../contract/signin/account.ts';
import { exportAccount } from '../../contract/signin/export.ts';
import { addToCart, listCart } from '../../contract/checkout/cart.ts';
import {
  acceptInvitation,
  addGuardian,
  addParticipant,
  changeParticipant,
  inviteGuardian,
  listParticipants,
  readInvitation,
  removeGuardian,
} from '../../contract/people/family.ts';
import { listFeeds, makeFeed } from '../../contract/classes/feeds.ts';
import { blockUser } from '../../contract/people/staff.ts';
import { familiesOf } from '../classes/families.ts';
import { testApp } from '../testing/app.ts';
import { aClass, anAdmin, aUser, type TestUser } from '../testing/factories.ts';
import { aChild, enrol } from '../testing/family.ts';
import { changedMeanwhile } from '../testing/overtaken.ts';
import { linkIn, subjectsTo } from '../testing/visitor.ts';

const app = await testApp();

const invite = (who: TestUser, email: string, ...children: { id: string }[]) =>
  app.send(inviteGuardian, { email, participantIds: children.map((child) => child.id) }, who.token);
const accept = (who: TestUser, secret: string) => app.send(acceptInvitation, { secret }, who.token);
const look = (who: TestUser, secret: string) => app.send(readInvitation, { secret }, who.token);
const leave = (who: TestUser, child: { id: string }, whom: string = who.id) =>
  app.send(removeGuardian, { id: child.id, who: whom }, who.token);
const list = async (who: TestUser) => (await app.send(listParticipants, {}, who.token)).body;
const codeOf = ({ status, body }: { status: number; body: object }) => [
  status,
  'code' in body ? body.code : null,
];

/** Eva added the child, whom Ben looks after, too. */
async function aSharedChild() {
  const [eva, ben] = [await aUser(app), await aUser(app)];
  return { eva, ben, child: await aChild(app, [eva, ben], { name: 'Mia' }) };
}
const looksAfter = async (who: TestUser, child: { id: string }) =>
  (await list(who)).some(({ _id }) => _id === child.id);

const secretFor = async (email: string) => (await linkIn(app, email, '/invitation')).hash.slice(1);

describe('an invitation', () => {
  it('is mailed, accepted once, and all guardians are told', async () => {
    const [eva, ben] = [await aUser(app, { name: 'Eva Lopes' }), await aUser(app)];
    const [mia, leo] = [
      await aChild(app, [eva], { name: 'Mia' }),
      await aChild(app, [eva], { name: 'Leo' }),
    ];
    const invited = await invite(eva, ben.email.toUpperCase(), mia, leo, mia);
    expect(invited.body).toEqual({ invited: 2 });
    expect((await list(eva)).map(({ invited }) => invited)).toEqual([[], [ben.email], [ben.email]]);
    const secret = await secretFor(ben.email);
    const other = await aUser(app);
    expect(codeOf(await look(other, secret))).toEqual([400, 'EMAIL_MISMATCH']);
    expect((await look(ben, secret)).body).toEqual({ from: 'Eva Lopes', children: ['Leo', 'Mia'] });
    expect(codeOf(await accept(other, secret))).toEqual([400, 'EMAIL_MISMATCH']);
    const answers = await Promise.all(Array.from({ length: 5 }, () => accept(ben, secret)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 400, 400, 400, 400,
    ]);
    expect(await looksAfter(ben, mia)).toBe(true);
    for (const { email } of [eva, ben]) {
      const subjects = await subjectsTo(app, email);
      expect(subjects.filter((subject) => subject.startsWith('The guardians'))).toEqual([
        'The guardians of Leo and Mia have changed',
      ]);
    }
    const { rows: audited } = await app.pool.query<{ line: string }>(
      `select concat_ws(' ', action, detail) as line from audit where subject = $1 order by id`,
      [mia.id],
    );
    const lines = audited.map(({ line }) => line.trim());
    expect(lines).toEqual(['guardian invited', `guardian added ${ben.id}`]);
  });

  it('gets the same answer for known and unknown addresses', async () => {
    const [eva, ben] = [await aUser(app), await aUser(app)];
    const child = await aChild(app, [eva]);
    const known = await invite(eva, ben.email, child);
    const unknown = await invite(eva, 'nobody@quiet.example', child);
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    expect((await invite(eva, eva.email, child)).body).toMatchObject({ field: 'email' });
    expect((await invite(eva, ben.email, child, await aChild(app, [ben]))).status).toBe(404);
    expect((await invite(eva, ben.email, eva)).status).toBe(404);
    expect((await invite(eva, ben.email)).body).toMatchObject({ field: 'participantIds' });
  });

  it('is for seven days, while its sender looks after the child', async () => {
    const [{ eva, ben: tom, child }, ben] = [await aSharedChild(), await aUser(app)];
    const again = async () => {
      await app.pool.query('delete from mailbox where recipient = $1', [ben.email]);
      await invite(tom, ben.email, child);
      return secretFor(ben.email);
    };
    let secret = await again();
    await app.pool.query('update invitation set expires_at = now() where email = $1', [ben.email]);
    expect(codeOf(await accept(ben, secret))).toEqual([400, 'BAD_LINK']);
    expect((await list(eva)).flatMap(({ invited }) => invited)).toEqual([]);

    secret = await again();
    expect((await leave(ben, child, ben.email)).status).toBe(404);
    expect((await leave(eva, child, ben.email)).body).toEqual({ deletedCount: 1 });
    expect(codeOf(await accept(ben, secret))).toEqual([400, 'BAD_LINK']);

    secret = await again();
    expect((await leave(eva, child, tom.id)).status).toBe(200);
    expect(codeOf(await accept(ben, secret))).toEqual([400, 'BAD_LINK']);
    expect(await looksAfter(ben, child)).toBe(false);
  });

  it('is sent from a proven address, and proves the other one', async () => {
    const [eva, ben] = [await aUser(app), await aUser(app)];
    const child = await aChild(app, [eva]);
    const setProven = (who: TestUser, proven: boolean) =>
      app.pool.query(
        'update "user" set proven_at = case when $2::boolean then now() end where id = $1',
        [who.id, proven],
      );
    await setProven(eva, false);
    expect(codeOf(await invite(eva, ben.email, child))).toEqual([409, 'EMAIL_NOT_CONFIRMED']);
    await setProven(eva, true);
    await invite(eva, ben.email, child);
    const secret = await secretFor(ben.email);
    await setProven(ben, false);
    // Without the secret the export does not name the child, by the invitation or by the subject of its mail.
    const told = async () => JSON.stringify((await app.send(exportAccount, {}, ben.token)).body);
    expect(await told()).not.toMatch(new RegExp(`${child.name}|${child.id}`));
    expect((await accept(ben, secret)).status).toBe(200);
    expect((await app.send(getAccount, {}, ben.token)).body).not.toHaveProperty('unconfirmed');
    expect(await told()).toContain(`Look after ${child.name}`);
  });

  it('is mailed twenty times a day at most', async () => {
    const { eva, child, lines } = await aBusyDay();
    const sister = await aChild(strict, [eva]);
    await lines('guardian invited', 19);
    // For any number of children.
    const ask = (n: number) =>
      strict.send(
        inviteGuardian,
        { email: `a${n}@quiet.example`, participantIds: [child.id, sister.id] },
        eva.token,
      );
    const answers = await Promise.all([1, 2, 3].map(ask));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 429, 429]);
  });

  it('is not accepted by an account with twenty children', async () => {
    const [eva, ben] = [await aUser(app), await aUser(app)];
    const child = await aChild(app, [eva]);
    for (let n = 0; n < 20; n++) await aChild(app, [ben]);
    await invite(eva, ben.email, child);
    const secret = await secretFor(ben.email);
    expect(codeOf(await accept(ben, secret))).toEqual([409, 'FAMILY_FULL']);
    expect(await looksAfter(ben, child)).toBe(false);
  });
});

it('a new child is shared with twenty guardians at most', async () => {
  const [eva, ...others] = await Promise.all(Array.from({ length: 21 }, () => aUser(app)));
  if (!eva) throw new Error('no user was made');
  await aChild(app, [eva, ...others.slice(0, 10)]);
  await aChild(app, [eva, ...others.slice(10)]);
  const share = (people: TestUser[]) =>
    app.send(
      addParticipant,
      { name: 'Mia', born: '2018-05-04', shareWith: people.map(({ id }) => id) },
      eva.token,
    );
  expect((await share(others)).body.code).toBe('FAMILY_FULL');
  expect((await share(others.slice(1))).status).toBe(201);
});

const strict = await testApp({ rateLimit: true });

async function aBusyDay() {
  const [eva, ben] = [await aUser(strict), await aUser(strict)];
  const child = await aChild(strict, [eva, ben]);
  const lines = (action: string, many: number, detail = '') =>
    strict.pool.query(
      `insert into audit (actor_id, action, subject, detail, at)
       select $1, $2, $3, $4, now() - make_interval(mins => n) from generate_series(1, $5::int) n`,
      [eva.id, action, child.id, detail, many],
    );
  const add = (shareWith: string[] = []) =>
    strict.send(addParticipant, { name: 'Leo', born: '2018-05-04', shareWith }, eva.token);
  return { eva, ben, child, lines, add };
}

it('children are shared by twenty mails a day at most', async () => {
  const { eva, ben, lines, add } = await aBusyDay();
  // What one was given oneself is told to nobody else.
  await lines('guardian added', 20, eva.id);
  await lines('guardian added', 19, ben.id);
  expect((await add([ben.id])).status).toBe(201);
  expect((await add([ben.id])).status).toBe(429);
  expect((await add()).status).toBe(201);
});

it('children are changed two hundred times a day at most', async () => {
  const { eva, child, lines, add } = await aBusyDay();
  await lines('participant changed', 199);
  const change = { id: child.id, born: '2017-05-04' };
  expect((await strict.send(changeParticipant, change, eva.token)).status).toBe(200);
  expect((await strict.send(changeParticipant, change, eva.token)).status).toBe(429);
  expect((await add()).status).toBe(429);
});

it('an address is invited once a day by a sender, 5 times by all', async () => {
  const email = 'victim@quiet.example';
  const invites = async (times: number) => {
    const parent = await aUser(strict);
    const { id } = await aChild(strict, [parent]);
    const asked = { email, participantIds: [id] };
    const statuses: number[] = [];
    for (let n = 0; n < times; n++)
      statuses.push((await strict.send(inviteGuardian, asked, parent.token)).status);
    return statuses;
  };
  expect(await invites(7)).toEqual([200, 200, 200, 200, 200, 200, 429]);
  expect(await invites(2)).toEqual([200, 429]);
});

/** The line of each mail that says who looks after a child now. */
const said = async ({ email }: TestUser) =>
  (await app.mail.messages(email)).map(({ text }) => /^.*now look.*$/m.exec(text)?.[0]);

it('a new child shared with several is told to each once', async () => {
  const [eva, ben, ida] = [await aUser(app), await aUser(app), await aUser(app)];
  await aChild(app, [eva, ben, ida]);
  const given = { name: 'Leo', born: '2018-05-04', shareWith: [ben.id, ida.id] };
  expect((await app.send(addParticipant, given, eva.token)).status).toBe(201);
  const [first, second] = [ben, ida].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const toEva = `${first?.name} and ${second?.name} now look after Leo at ${app.config.brand}.`;
  await expect.poll(() => said(eva)).toEqual([toEva]);
  for (const person of [ben, ida])
    await expect
      .poll(() => said(person))
      .toEqual([`You now look after Leo at ${app.config.brand}.`]);
});

describe('a guardian', () => {
  it('who is blocked gets no child when its maker leaves', async () => {
    const [mum, ex, gran] = [await aUser(app), await aUser(app), await aUser(app)];
    const last = await aUser(app);
    const children = [await aChild(app, [mum, ex, gran]), await aChild(app, [ex, gran, last])];
    await app.pool.query('update "user" set blocked_at = now() where id = $1', [ex.id]);
    const before = `update guardian set since = since - interval '1 day' where user_id = $1`;
    await app.pool.query(before, [gran.id]);
    const [shared, own] = children;
    if (!shared || !own) throw new Error('no child was made');
    expect((await leave(mum, shared, mum.id)).status).toBe(200);
    expect((await leave(last, own, gran.id)).status).toBe(404);
    expect((await leave(last, own, ex.id)).status).toBe(404);
    for (const child of children)
      expect((await leave(gran, child, ex.id)).body).toEqual({ deletedCount: 1 });
  });

  it('is removed by who added the child, with cart and feed', async () => {
    const [{ eva, ben, child }, klass] = [await aSharedChild(), await aClass(app)];
    await app.send(addToCart, { itemId: klass.id, participantId: child.id }, ben.token);
    await app.send(addToCart, { itemId: klass.id }, ben.token);
    await app.send(makeFeed, { participantId: child.id }, ben.token);
    expect((await leave(ben, child, eva.id)).status).toBe(404);
    expect((await leave(eva, child, ben.id)).body).toEqual({ deletedCount: 1 });
    expect((await leave(eva, child, ben.id)).status).toBe(404);
    const cart = (await app.send(listCart, { email: ben.email }, ben.token)).body;
    expect(cart).toHaveLength(1);
    expect(cart[0]).not.toHaveProperty('participant');
    expect((await app.send(listFeeds, {}, ben.token)).body).toEqual([]);
    for (const { email } of [eva, ben]) expect(await subjectsTo(app, email)).toHaveLength(1);
  });

  it('who is removed while selecting a class gets no cart item', async () => {
    const [{ ben, child }, klass] = [await aSharedChild(), await aClass(app)];
    const asked = { itemId: klass.id, participantId: child.id };
    const selected = await changedMeanwhile(app, {
      lock: ['select from participant where id = $1 for update', [child.id]],
      work: () => app.send(addToCart, asked, ben.token),
      change: [
        'delete from guardian where user_id = $1 and participant_id = $2',
        [ben.id, child.id],
      ],
    });
    expect(selected.status).toBe(404);
    expect((await app.send(listCart, { email: ben.email }, ben.token)).body).toEqual([]);
  });

  it('who leaves hands on the right to remove; the last one stays', async () => {
    const { eva, ben, child } = await aSharedChild();
    expect((await leave(eva, child)).status).toBe(200);
    expect((await list(ben))[1]).toMatchObject({ _id: child.id, mayRemove: true });
    expect(codeOf(await leave(ben, child))).toEqual([409, 'LAST_GUARDIAN']);
    expect(codeOf(await leave(ben, ben))).toEqual([409, 'LAST_GUARDIAN']);
  });

  it('FA9: of the two last who leave at once, one stays', async () => {
    const { eva, ben, child } = await aSharedChild();
    const answers = await Promise.all([leave(eva, child), leave(ben, child)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  it('FA9, control: without the lock on the participant both go', async () => {
    const { eva, ben, child } = await aSharedChild();
    const look = () => app.pool.query('select from guardian where participant_id = $1', [child.id]);
    // Both look before either writes.
    const seen = await Promise.all([look(), look()]);
    const remove = 'delete from guardian where user_id = $1 and participant_id = $2';
    for (const [at, { rowCount }] of seen.entries())
      if (rowCount === 2) await app.pool.query(remove, [[eva, ben][at]?.id, child.id]);
    for (const who of [eva, ben]) expect(await looksAfter(who, child)).toBe(false);
  });
});

const admin = await anAdmin(app);
const give = (child: { id: string }, email: string) =>
  app.send(addGuardian, { id: child.id, email }, admin.token);

describe('the office', () => {
  it('adds a guardian whose address is confirmed; all are told', async () => {
    const [eva, ben, late] = [await aUser(app), await aUser(app), await aUser(app)];
    const child = await aChild(app, [eva], { name: 'Mia' });
    await app.pool.query('update "user" set proven_at = null where id = $1', [late.id]);
    expect(codeOf(await give(child, late.email))).toEqual([400, 'INVALID_INPUT']);
    expect(codeOf(await give({ id: eva.id }, ben.email))).toEqual([404, 'NOT_FOUND']);
    expect((await give(child, ben.email)).body).toEqual({ modifiedCount: 1 });
    expect((await give(child, ben.email)).body).toEqual({ modifiedCount: 0 });
    expect(await looksAfter(ben, child)).toBe(true);
    for (const { email } of [eva, ben]) expect(await subjectsTo(app, email)).toHaveLength(1);
    const audited = `select from audit where subject = $1 and actor_id = $2 and detail = $3`;
    expect((await app.pool.query(audited, [child.id, admin.id, ben.id])).rowCount).toBe(1);
  });

  it('alone removes who paid for a seat ahead, beside that one', async () => {
    const { eva, ben, child } = await aSharedChild();
    await enrol(app, (await aClass(app)).id, ben, child);
    expect(codeOf(await leave(eva, child, ben.id))).toEqual([409, 'PAID_SEAT_AHEAD']);
    expect(await looksAfter(ben, child)).toBe(true);
    expect((await leave(admin, child, ben.id)).body).toEqual({ deletedCount: 1 });
    expect(await looksAfter(ben, child)).toBe(false);
    expect(codeOf(await leave(admin, child, eva.id))).toEqual([409, 'LAST_GUARDIAN']);
  });
});

it('a blocked guardian gets no mail about the child', async () => {
  const { eva, ben, child } = await aSharedChild();
  await app.send(blockUser, { id: ben.id }, admin.token);
  const klass = await aClass(app);
  await enrol(app, klass.id, eva, child);
  expect((await familiesOf(app.db, [klass.id])).map(({ id }) => id)).toEqual([eva.id]);
  expect((await leave(eva, child, ben.id)).status).toBe(200);
  expect((await subjectsTo(app, eva.email)).length).toBe(1);
  expect(await subjectsTo(app, ben.email)).toEqual([]);
});
