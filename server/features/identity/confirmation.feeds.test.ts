// What a stranger or a thief keeps besides the password: the address of a calendar feed. It ends with
// the access, also when it is made while that ends.
import { expect, it } from 'vitest';
import { overtaken } from '../../testing/overtaken.ts';
import {
  anApp,
  aVisitor,
  confirm,
  newPassword,
  proofs,
  resetByMail,
  runAdmin,
  setConfirmed,
  type Squatted,
  squatted,
  strangersPassword,
  withSecondFactor,
} from '../../testing/squatted.ts';
import { codeOf } from '../../testing/totp.ts';
import type { Visitor } from '../../testing/visitor.ts';

const app = await anApp();

const as = (visitor: Visitor, token: string, path: string, body: object = {}) =>
  visitor.ask('POST', path, body, { authorization: `Bearer ${token}` });

/** A feed on a confirmed account, whose password somebody else knows. Answers how it is read. */
async function aFeed({ email, stranger }: Squatted) {
  await setConfirmed(app, email, true);
  const { status, body } = await as(stranger.visitor, stranger.token, '/api/feeds');
  expect(status).toBe(201);
  const { pathname } = new URL(String(body['url']));
  const read = async () => (await aVisitor(app).ask('GET', pathname)).status;
  expect(await read()).toBe(200);
  return read;
}

it('a calendar feed is refused until the address is confirmed', async () => {
  const { email, stranger } = await squatted(app);
  const { status, body } = await as(stranger.visitor, stranger.token, '/api/feeds');
  expect([status, body.code]).toEqual([409, 'EMAIL_NOT_CONFIRMED']);
  await setConfirmed(app, email, true);
  expect((await as(stranger.visitor, stranger.token, '/api/feeds')).status).toBe(201);
});

it.each(Object.keys(proofs))(
  'a feed of before ends when the owner takes the account over by %s',
  async (how) => {
    const scene = await squatted(app);
    const read = await aFeed(scene);
    await setConfirmed(app, scene.email, false);
    expect((await proofs[how]?.(app, scene))?.status).toBe(200);
    expect(await read()).toBe(404);
  },
);

it('a feed under way in a session of before is not made after the takeover', async () => {
  const { email, owner, link, stranger } = await squatted(app);
  const late = await overtaken(
    app,
    email,
    () => confirm(owner, link, { newPassword }),
    () => as(stranger.visitor, stranger.token, '/api/feeds'),
  );
  expect([late.status, late.body.code]).toEqual([401, 'UNAUTHENTICATED']);
});

const newAccess: Record<string, (scene: Squatted) => Promise<{ status: number }>> = {
  'a reset of the password': (scene) => resetByMail(app, scene),
  'a change of the password': ({ stranger }) =>
    stranger.visitor.auth('change-password', { currentPassword: strangersPassword, newPassword }),
  'signing out the others': ({ stranger }) => stranger.visitor.auth('revoke-other-sessions'),
  'turning two-step sign-in on': async ({ stranger: { visitor } }) => {
    const { body } = await visitor.auth('two-factor/enable', { password: strangersPassword });
    return visitor.auth('two-factor/verify', { code: codeOf(String(body['secret'])) });
  },
};

it.each(Object.keys(newAccess))('a feed of a confirmed account ends with %s', async (how) => {
  const scene = await squatted(app);
  const read = await aFeed(scene);
  expect((await newAccess[how]?.(scene))?.status).toBe(200);
  expect(await read()).toBe(404);
});

it('a feed ends when the operator removes the second factor', async () => {
  const scene = await squatted(app);
  await withSecondFactor(app, scene);
  const read = await aFeed(scene);
  expect(await runAdmin(app, ['--remove-second-factor', scene.email])).toMatch(/ended with 0$/);
  expect(await read()).toBe(404);
});
