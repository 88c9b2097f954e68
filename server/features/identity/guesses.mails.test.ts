// Neither mails nor accounts can be caused without end.
import { describe, expect, it } from 'vitest';
import { deleteAccount } from '../../../contract/account.ts';
import { testApp, unique } from '../../testing/app.ts';
import { placesOf } from '../../testing/places.ts';
import { aConfirmedMember, goodPassword, subjectsTo } from '../../testing/visitor.ts';

const app = await testApp({ rateLimit: true });
const { from, aMemberAt } = placesOf(app);

it('a mailbox cannot be filled by asking for links', async () => {
  const { email } = await aMemberAt('192.0.2.10');
  for (let index = 0; index < 8; index++) {
    await from(400_000 + index).auth('request-password-reset', { email });
    await app.settled();
  }
  const links = (await subjectsTo(app, email)).filter(
    (subject) => subject === 'Choose a new password',
  );
  expect(links).toHaveLength(3);
});

it('a mailbox cannot be filled by signing in with new devices', async () => {
  const { email } = await aConfirmedMember(app);
  await app.pool.query('update "user" set registered_at = now() where email = $1', [email]);
  for (let index = 0; index < 8; index++)
    expect((await from(410_000 + index).signIn(email)).status).toBe(200);
  const told = (await subjectsTo(app, email)).filter((subject) =>
    subject.startsWith('New sign-in'),
  );
  expect(told).toHaveLength(3);
});

it('deleting an account and signing up again brings no more mails to its address', async () => {
  const email = `${unique('again')}@example.com`;
  const links: string[] = [];
  for (let round = 0; round < 3; round++) {
    const { visitor } = await aConfirmedMember(app, { email });
    for (let index = 0; index < 3; index++) {
      await from(500_000 + 3 * round + index).auth('request-password-reset', { email });
      await app.settled();
    }
    // With the account its mails leave the mailbox, so they are counted before that.
    links.push(
      ...(await subjectsTo(app, email)).filter((subject) => subject === 'Choose a new password'),
    );
    const { status } = await app.send(
      deleteAccount,
      { password: goodPassword },
      await visitor.token(email),
    );
    expect(status).toBe(200);
  }
  expect(links).toHaveLength(3);
});

it('an address signs up three times an hour, known or not', async () => {
  const form = {
    name: 'A',
    image: 'https://example.com/a.png',
    email: `${unique('a')}@example.com`,
    password: goodPassword,
  };
  const statuses: number[] = [];
  for (let index = 0; index < 4; index++)
    statuses.push((await from(9_000 + index).auth('sign-up/email', form)).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
});

describe('mails', () => {
  const image = 'https://example.com/a.png';
  it('of one kind that a stranger causes leave the reset mail of the owner its own budget', async () => {
    const { email } = await aMemberAt('192.0.2.91');
    await app.pool.query('update "user" set email_verified = true where email = $1', [email]);
    for (let index = 0; index < 4; index++)
      await from(9_100 + index).auth('sign-up/email', {
        name: 'Eve',
        image,
        email,
        password: 'Other#2026',
      });
    const told = 'Sign-up attempt with your address';
    expect((await subjectsTo(app, email)).filter((subject) => subject === told)).toHaveLength(2);
    await from(9_110).auth('request-password-reset', { email });
    expect(await subjectsTo(app, email)).toContain('Choose a new password');
  });

  it('to an unconfirmed address are few, whatever its sign-up does', async () => {
    const { email, visitor } = await aMemberAt('192.0.2.92');
    let currentPassword = goodPassword;
    for (let index = 0; index < 6; index++) {
      const newPassword = `Squash#202${index}`;
      visitor.address = `192.0.2.${100 + index}`;
      const { status } = await visitor.auth('change-password', { currentPassword, newPassword });
      expect(status).toBe(200);
      currentPassword = newPassword;
    }
    const changed = 'Your password was changed';
    expect((await subjectsTo(app, email)).filter((subject) => subject === changed)).toHaveLength(3);
    // Its owner, once the address is proven, is told every time.
    await app.pool.query('update "user" set email_verified = true where email = $1', [email]);
    await visitor.auth('change-password', { currentPassword, newPassword: 'Hockey#2028' });
    expect((await subjectsTo(app, email)).filter((subject) => subject === changed)).toHaveLength(4);
  });
});
