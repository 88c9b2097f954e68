// Secrets are used in every way a user or an attacker can use them, and then searched for: in the
// log at its lowest level, in every column of every table, in the body of every refusal. None may
// be there.
import { expect, it } from 'vitest';
import type { InjectOptions } from 'fastify';
import { noCare } from '../contract/care.ts';
import { addToCart } from '../contract/cart.ts';
import { testKeys, type TestApp } from '../server/testing/app.ts';
import { aShop, secretOf, settleAll } from '../server/testing/checkout.ts';
import { aClass, anAdmin } from '../server/testing/factories.ts';
import { findInDatabase } from '../server/testing/search.ts';
import { codeOf } from '../server/testing/totp.ts';
import { aForm, linkIn, Visitor } from '../server/testing/visitor.ts';

const shop = await aShop({
  logLevel: 'trace',
  secret: 'canary of the server: thirty-two letters or more',
});
const { app, provider } = shop;

/** What was refused, and how. */
const refusals: string[] = [];
const watched: TestApp = {
  ...app,
  ask: async (options: InjectOptions) => {
    const answer = await app.ask(options);
    if (answer.statusCode >= 400)
      refusals.push(`${answer.statusCode} ${JSON.stringify(answer.headers)} ${answer.body}`);
    return answer;
  },
};

const secrets = new Map<string, string>([
  ['password', 'Canary#Pass01'],
  ['wrong password', 'Canary#Wrong02'],
  ['new password', 'Canary#Fresh03'],
  ['password after the reset', 'Canary#Reset04'],
  ['card number', '4000056655665556'],
  ['card number, as people write it', '4000 0566 5566 5556'],
  ['security code with its name', 'cvc=987'],
  ["the server's secret", app.config.secret],
  ["the card provider's key", testKeys.secretKey],
  ["the webhooks' secret", testKeys.webhookSecret],
  ['forged token', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJjYW5hcnkifQ.canaryCanaryCanary'],
  ['allergy', 'Canary-Peanuts-05'],
  ['name of a contact', 'Canary Grandmother 06'],
  ['phone of a contact', '+351 900 111 007'],
  ['foreign cookie', 'canary-session-of-nobody.c2lnbmF0dXJl'],
]);
const secret = (name: string) => secrets.get(name) ?? '';
const learn = (name: string, value: string | undefined) => {
  if (!value || value.length < 6) throw new Error(`There is no ${name}`);
  secrets.set(name, value);
};

const email = 'canary.person@example.com';
const visitor = new Visitor(watched);
const api = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  token: string,
  payload?: object | string,
) =>
  watched.ask({
    method,
    url,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(payload ? { payload } : {}),
  });

async function signUpAndIn() {
  const wrong = secret('wrong password');
  await visitor.auth(
    'sign-up/email',
    aForm({ email, password: secret('password'), role: 'admin' }),
  );
  await visitor.auth(
    'sign-up/email',
    aForm({ email, password: secret('password'), confirmPassword: wrong }),
  );
  await visitor.auth('sign-up/email', aForm({ email, password: secret('password') }));
  await visitor.auth('sign-up/email', aForm({ email, password: secret('password') }));
  await visitor.signIn(email, wrong);
  await visitor.signIn('nobody@example.com', wrong);
  await visitor.signIn(email, secret('password'));
  await app.settled();
  const mails = (await app.mail.messages(email)).map(({ text }) => text).join('\n');
  learn('token of the welcome mail', /\/confirm\?token=([^&\s]+)/.exec(mails)?.[1]);
  learnCookies('first');
  learn('access token', await visitor.token(email));
}

/**
 * A cookie is `token.signature`. The token alone is useless and is stored where it must be; the two
 * together are stored nowhere.
 */
function learnCookies(when: string) {
  const cookie = decodeURIComponent(visitor.cookies.get('rally.session_token') ?? '');
  learn(`session cookie, ${when}`, cookie);
  learn(`signature of the cookie, ${when}`, cookie.split('.')[1]);
}

async function changeAndReset() {
  const change = (currentPassword: string, newPassword: string) =>
    visitor.auth('change-password', { currentPassword, newPassword });
  await change(secret('wrong password'), secret('new password'));
  await change(secret('password'), 'short');
  await change(secret('password'), secret('new password'));
  learnCookies('after the change');
  await visitor.auth('request-password-reset', { email });
  const token = (await linkIn(app, email, '/resetpassword')).searchParams.get('token') ?? '';
  learn('reset token', token);
  const reset = (newPassword: string, with_ = token) =>
    visitor.auth('reset-password', { token: with_, newPassword });
  await reset('short');
  await reset(secret('password after the reset'), `${token}x`);
  await reset(secret('password after the reset'));
  await reset(secret('password after the reset'));
  await visitor.ask('GET', `/resetpassword?token=${token}`);
  await visitor.ask('GET', `/api/auth/verify-email?token=${token}`);
  const welcome = secret('token of the welcome mail');
  await visitor.ask('GET', `/confirm?token=${welcome}`);
  await visitor.auth('check-link', { token: welcome, kind: 'confirm' });
  await visitor.auth('verify-email', { token: `${welcome}x`, newPassword: secret('new password') });
  await visitor.auth('verify-email', { token: welcome, password: secret('wrong password') });
}

async function secondStep() {
  const password = secret('password after the reset');
  await visitor.signIn(email, password);
  await visitor.auth('two-factor/enable', { password: secret('wrong password') });
  const { body } = await visitor.auth('two-factor/enable', { password });
  learn('secret of the second step', String(body['secret']));
  learn('address of the second step', String(body['uri']));
  for (const [index, code] of (body['backupCodes'] as string[]).entries())
    learn(`backup code ${index}`, code);
  await visitor.auth('two-factor/verify', { code: '000000' });
  await visitor.auth('two-factor/verify', { code: codeOf(secret('secret of the second step')) });
  await visitor.auth('sign-out');
  await visitor.signIn(email, password);
  learn(
    'cookie between the steps',
    decodeURIComponent(visitor.cookies.get('rally.two_factor') ?? ''),
  );
  await visitor.auth('sign-in/second-step', { code: secret('backup code 0').replace(/.$/, '!') });
  await visitor.auth('sign-in/second-step', { code: 'aaaaa-bbbbb' });
  await visitor.auth('sign-in/second-step', { code: secret('backup code 0') });
  learnCookies('after the second step');
  learn('second access token', await visitor.token(email));
}

async function pay() {
  const token = secret('second access token');
  const klass = await aClass(app);
  await app.send(addToCart, { itemId: klass.id }, token);
  const wish = { price: klass.priceCents / 100, itemId: klass.id };
  const { clientSecret } = (await api('POST', '/api/create-payment-intent', token, wish)).json<{
    clientSecret: string;
  }>();
  learn('client secret', clientSecret);
  const { intent } = secretOf(clientSecret);
  const card = {
    number: secret('card number'),
    written: secret('card number, as people write it'),
  };
  // A broken page sends us what only the card provider may get.
  for (const body of [
    { transactionId: clientSecret },
    { transactionId: intent, card },
    { transactionId: intent, customer: 1, ...card },
    { transactionId: card.number },
  ])
    await api('POST', '/api/payments', token, body);
  await api('GET', `/api/payments/${clientSecret}`, token);
  await api(
    'GET',
    `/api/payments?search=${card.number}&${secret('security code with its name')}`,
    token,
  );
  await provider.confirm(clientSecret, 'visa_chargeDeclined');
  await api('POST', '/api/payments', token, { transactionId: intent });
  await provider.fault({ effect: 'error_before', times: null });
  await api('POST', '/api/payments', token, { transactionId: intent });
  await provider.heal();
  await provider.confirm(clientSecret);
  // 200 when the provider's event was faster.
  expect([200, 201]).toContain(
    (await api('POST', '/api/payments', token, { transactionId: intent })).statusCode,
  );
  await settleAll(app);
}

async function careFacts() {
  const token = secret('second access token');
  const admin = await anAdmin(app);
  const { id } = await app.db
    .selectFrom('user')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const person = {
    name: secret('name of a contact'),
    relation: '',
    phone: secret('phone of a contact'),
  };
  const facts = { ...noCare, allergies: secret('allergy'), contacts: [person], pickup: [person] };
  const url = `/api/participants/care/${id}`;
  for (const wrong of [
    { ...facts, contacts: [{ ...person, phone: secret('allergy') }] },
    { ...facts, mayGoAlone: secret('allergy') },
  ])
    expect((await api('PATCH', url, token, wrong)).statusCode).toBe(400);
  expect((await api('PATCH', url, admin.token, facts)).statusCode).toBe(404);
  expect((await api('PATCH', url, token, facts)).statusCode).toBe(200);
  for (const reader of [token, admin.token])
    expect((await api('GET', url, reader)).body).toContain(secret('allergy'));
  const exported = await api('GET', '/api/account/export', token);
  expect(exported.body).toContain(secret('phone of a contact'));
  // A row that does not open is logged.
  await app.pool.query(
    'insert into care (participant_id, sealed, key) select $1, sealed, key from care',
    [admin.id],
  );
  expect((await api('GET', `/api/participants/care/${admin.id}`, admin.token)).statusCode).toBe(
    200,
  );
  for (const name of ['allergy', 'name of a contact', 'phone of a contact'])
    expect(await findInDatabase(app, secret(name))).toEqual([]);
}

async function knockEverywhere() {
  const token = secret('second access token');
  const everything = [...secrets.values()];
  const body = JSON.stringify({ email, password: secret('password'), token, secrets: everything });
  for (const url of [
    '/api/jwt',
    '/api/users',
    '/api/payments',
    '/api/account/delete',
    '/api/auth/sign-in/email',
  ]) {
    await api('POST', url, token, body);
    await api('POST', url, token, `${body.slice(0, -1)},`);
    await api('POST', url, token, body + ' '.repeat(70_000));
    await api('POST', url, secret('forged token'), body);
    await watched.ask({
      method: 'POST',
      url,
      headers: { 'content-type': 'text/plain' },
      payload: body,
    });
    await watched.ask({
      method: 'POST',
      url,
      headers: { cookie: `rally.session_token=${secret('foreign cookie')}` },
      payload: {},
    });
  }
  for (const value of everything) {
    const text = encodeURIComponent(value);
    for (const url of [
      `/api/classes?password=${text}`,
      `/api/classes/${text}`,
      `/nothing/${text}`,
      `/api/${text}?${text}=1`,
    ])
      await watched.ask({
        url,
        headers: { authorization: `Bearer ${value.replace(/[^\x21-\x7e]/g, '')}` },
      });
  }
  await watched.ask({
    method: 'POST',
    url: '/api/webhooks/stripe',
    headers: {
      'stripe-signature': `t=1,v1=${testKeys.webhookSecret}`,
      'content-type': 'application/json',
    },
    payload: body,
  });
}

/** A table that refuses a row reports the whole row, and that error goes to the log. */
async function fail() {
  await app.pool.query(
    'alter table cart_item add constraint canary check (seen_price_cents = 0) not valid',
  );
  await app.pool.query('alter table "user" add constraint canary check (name = email) not valid');
  await app.pool.query(
    'alter table session add constraint canary check (token = user_agent) not valid',
  );
  const { id } = await aClass(app, { instructor: { ...(await someInstructor()), name: 'x' } });
  expect(
    (await api('POST', '/api/bookeds', secret('second access token'), { itemId: id })).statusCode,
  ).toBe(500);
  const stranger = new Visitor(watched);
  expect((await stranger.signIn(email, secret('password after the reset'))).status).toBe(500);
  await stranger.auth(
    'sign-up/email',
    aForm({ email: 'canary.other@example.com', password: secret('password') }),
  );
}

async function someInstructor() {
  const { rows } = await app.pool.query<{ id: string }>(
    `select instructor_id as id from class limit 1`,
  );
  return {
    id: rows[0]?.id ?? '',
    email: '',
    role: 'instructor' as const,
    sessionId: '',
    token: '',
  };
}

it('no secret is in any log, table or refusal', { timeout: 120_000 }, async () => {
  await signUpAndIn();
  await changeAndReset();
  await secondStep();
  await pay();
  await careFacts();
  await knockEverywhere();
  await fail();
  await app.settled();

  const log = app.logs.join('');
  expect(secrets.size).toBeGreaterThan(30);
  expect(refusals.length).toBeGreaterThan(100);
  expect(log.match(/request failed/g)?.length).toBeGreaterThan(2);

  const found: string[] = [];
  for (const [name, value] of secrets) {
    const forms = [
      value,
      encodeURIComponent(value),
      JSON.stringify(value).slice(1, -1),
      btoa(value),
    ];
    for (const form of new Set(forms)) {
      if (log.includes(form)) found.push(`${name} in the log`);
      if (refusals.some((text) => text.includes(form))) found.push(`${name} in a refusal`);
    }
    // Bytes are shown in hexadecimal.
    const bytes = Buffer.from(value).toString('hex');
    found.push(...(await findInDatabase(app, bytes)).map((row) => `${name} in bytes of ${row}`));
    // Without a mail server mails are stored in the mailbox, with their links.
    const rows = await findInDatabase(app, value, { except: ['public.mailbox'] });
    found.push(...rows.map((row) => `${name} in ${row}`));
  }
  expect(found).toEqual([]);
  // Nor an address of a user, nor a row that the database refused.
  expect(log).not.toMatch(/@example\.com|Failing row/);
  const tokens = [...secrets]
    .filter(([name]) => name.startsWith('session cookie'))
    .map(([, value]) => value.split('.')[0]);
  expect(tokens.filter((token) => log.includes(token ?? ''))).toEqual([]);
});

it('and would be found if it were', async () => {
  const planted = 'Canary#Planted99';
  app.server.log.warn({ deep: { planted } }, 'planted');
  expect(app.logs.join('')).toContain(planted);
  await app.pool.query(
    `insert into stripe_event (event_id, type, object_id, last_error) values ('e', 't', 'o', $1)`,
    [`x ${planted} x`],
  );
  const rows = await findInDatabase(app, planted);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatch(/^public\.stripe_event/);
  await app.pool.query('update care set sealed = convert_to($1, $2)', [`x ${planted} x`, 'utf8']);
  const bytes = Buffer.from(planted).toString('hex');
  expect((await findInDatabase(app, bytes))[0]).toMatch(/^public\.care/);
});
