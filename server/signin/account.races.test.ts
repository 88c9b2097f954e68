// What is asked for while an account is being deleted, or after it.
import { expect, it } from 'vitest';
import { deleteAccount } from '../../contract/signin/account.ts';
import { testApp } from '../testing/app.ts';
import { aStaffInvitation } from '../testing/factories.ts';
import { waiters, whileHeld } from '../testing/overtaken.ts';
import { findInDatabase } from '../testing/search.ts';
import { aConfirmedMember, goodPassword, linkIn, Visitor } from '../testing/visitor.ts';

const app = await testApp();

const leave = (token: string) => app.send(deleteAccount, { password: goodPassword }, token);

it('a deletion is final: a link for a new password, stored while the account is deleted, opens nothing', async () => {
  const { email, visitor } = await aConfirmedMember(app);
  const { id } = await app.db
    .selectFrom('user')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  await visitor.auth('request-password-reset', { email });
  const token = (await linkIn(app, email, '/resetpassword')).searchParams.get('token');
  const links = await app.db.selectFrom('link').selectAll().where('userId', '=', id).execute();
  expect((await leave(await visitor.token(email))).status).toBe(200);
  await app.db.insertInto('link').values(links).execute();
  const late = { token, newPassword: 'Squash$2027' };
  const { status, body } = await new Visitor(app).auth('reset-password', late);
  expect([status, body.code]).toEqual([400, 'BAD_LINK']);
  const left = await app.pool.query('select from login where user_id = $1', [id]);
  expect(left.rowCount).toBe(0);
});

it('a deletion forgets what waits for the address that the account got while it was deleted', async () => {
  const { email, visitor } = await aConfirmedMember(app);
  const token = await visitor.token(email);
  const moved = `new-${email}`;
  const left = await whileHeld(app, email, async (holder) => {
    const leaving = leave(token);
    await waiters(app, 1);
    await holder.query('update "user" set email = $2 where email = $1', [email, moved]);
    await aStaffInvitation(app, { email: moved });
    await holder.query('commit');
    return await leaving;
  });
  expect(left.status).toBe(200);
  expect(await findInDatabase(app, moved)).toEqual([]);
});

it('a deletion cannot be undone: the database refuses to prove a deleted account', async () => {
  const { email, visitor } = await aConfirmedMember(app);
  await leave(await visitor.token(email));
  const confirming = app.pool.query(
    `update "user" set proven_at = now() where email like '%@deleted.invalid'`,
  );
  await expect(confirming).rejects.toMatchObject({ constraint: 'erased_is_not_proven' });
});
