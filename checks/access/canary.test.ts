// A person does everything once, right and wrong. Then secrets are searched for in the log at its
// lowest level, in every refusal and in every column of every table; names and addresses in the log.
import { expect, it } from 'vitest';
import type { InjectOptions } from 'fastify';
import { noCare } from '../../contract/people/care.ts';
import { addToCart } from '../../contract/checkout/cart.ts';
import { testKeys } from '../../server/testing/app.ts';
import { aShop, secretOf, settleAll } from '../../server/testing/checkout.ts';
import { aClass, anAdmin } from '../../server/testing/factories.ts';
import { findInDatabase } from '../../server/testing/search.ts';
import { codeOf } from '../../server/testing/totp.ts';
import { aForm, idOf, linkIn, Visitor } from '../../server/testing/visitor.ts';

const secret = 'canary-of-the-server-forty-three-letters-or-more';
const { app, provider } = await aShop({ logLevel: 'trace', secret });

const refusals: string[] = [];
const ask = async (options: InjectOptions) => {
  const answer = await app.ask(options);
  const { statusCode, headers, body } = answer;
  if (statusCode >= 400) refusals.push(`${statusCode} ${JSON.stringify(headers)} ${body}`);
  return answer;
};
const visitor = new Visitor({ ...app, ask });
const api = (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object | string) =>
  ask({
    method,
    url: `/api/${url}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(payload ? { payload } : {}),
  });

const [email, name] = ['canary.person@example.com', 'Canary Person'];
const [password, wrong, fresh] = ['Canary#Pass01', 'Canary#Wrong02', 'Canary#Fresh03'];
const [card, allergy, phone] = ['4000056655665556', 'Canary-Peanuts-05', '+351 900 111 007'];
const grandmother = { name: 'Canary Grandmother 06', relation: '', phone };
const secrets = new Set([password, wrong, fresh, card, allergy, phone, grandmother.name, secret]);
secrets.add(testKeys.secretKey).add(testKeys.webhookSecret);
let token = '';

function learn(value: string | null | undefined): string {
  if (!value || value.length < 6) throw new Error('There is nothing to search for');
  secrets.add(value);
  return value;
}
const mailed = async (page: string) => {
  const { searchParams, hash } = await linkIn(app, email, page);
  return learn(searchParams.get('token') ?? hash.slice(1));
};
/** A cookie is `token.signature`. Only the two together are a secret. */
async function learnSession() {
  learn(decodeURIComponent(visitor.cookies.get('rally.session_token') ?? ''));
  token = learn(await visitor.token(email));
}

async function signUp() {
  const form = aForm({ email, name, password });
  await visitor.auth('sign-up/email', { ...form, role: 'admin' });
  for (let n = 0; n < 2; n++) await visitor.auth('sign-up/email', form);
  await visitor.signIn(email, wrong);
  await visitor.signIn(email, password);
  await learnSession();
  const welcome = await mailed('/confirm');
  await visitor.ask('GET', `/confirm?token=${welcome}`);
  await visitor.auth('verify-email', { token: `${welcome}x`, newPassword: fresh });
}

async function changeAndReset() {
  for (const currentPassword of [wrong, password])
    await visitor.auth('change-password', { currentPassword, newPassword: fresh });
  await visitor.auth('request-password-reset', { email });
  const reset = await mailed('/resetpassword');
  for (const token of [`${reset}x`, reset, reset])
    await visitor.auth('reset-password', { token, newPassword: password });
  await visitor.ask('GET', `/resetpassword?token=${reset}`);
}

async function secondStep() {
  await visitor.signIn(email, password);
  await visitor.auth('two-factor/enable', { password: wrong });
  const { body } = await visitor.auth('two-factor/enable', { password });
  const [totp, codes] = [learn(String(body['secret'])), body['backupCodes'] as string[]];
  learn(String(body['uri']));
  codes.forEach(learn);
  for (const code of ['000000', codeOf(totp)]) await visitor.auth('two-factor/verify', { code });
  await visitor.auth('sign-out');
  await visitor.signIn(email, password);
  learn(decodeURIComponent(visitor.cookies.get('rally.two_factor') ?? ''));
  for (const code of ['aaaaa-bbbbb', codes[0]]) await visitor.auth('sign-in/second-step', { code });
  await learnSession();
}

async function pay() {
  const { id: itemId, priceCents } = await aClass(app);
  await app.send(addToCart, { itemId }, token);
  const wish = { price: priceCents / 100, itemId };
  const { clientSecret } = (await api('POST', 'create-payment-intent', wish)).json();
  const { intent: transactionId } = secretOf(learn(clientSecret));
  // A broken page sends us what only the card provider may get.
  await api('POST', 'payments', { transactionId: clientSecret });
  await api('POST', 'payments', { transactionId, card: { number: card } });
  await api('GET', `payments?search=${card}`);
  await provider.fault({ effect: 'error_before', times: null });
  await api('POST', 'payments', { transactionId });
  await provider.heal();
  await provider.confirm(clientSecret);
  expect((await api('POST', 'payments', { transactionId })).statusCode).toBeLessThan(300);
  await settleAll(app);
}

async function careFacts() {
  const id = await idOf(app, email);
  const facts = { ...noCare, allergies: allergy, contacts: [grandmother], pickup: [grandmother] };
  await api('PATCH', `participants/care/${id}`, { ...facts, mayGoAlone: allergy });
  await api('PATCH', `participants/care/${(await anAdmin(app)).id}`, facts);
  expect((await api('PATCH', `participants/care/${id}`, facts)).statusCode).toBe(200);
  expect((await api('GET', 'account/export')).body).toContain(allergy);
}

async function knockEverywhere() {
  const body = JSON.stringify({ email, password, token, secrets: [...secrets] });
  for (const url of ['jwt', 'users', 'payments', 'account/delete', 'auth/sign-in/email'])
    for (const payload of [body, `${body},`, body + ' '.repeat(70_000)])
      await api('POST', url, payload);
  for (const value of [...secrets].map(encodeURIComponent)) {
    await api('GET', `classes/${value}?password=${value}`);
    await ask({ url: `/nothing/${value}`, headers: { authorization: `Bearer ${value}` } });
    await ask({ url: '/api/session', headers: { cookie: `rally.session_token=${value}` } });
  }
  const headers = { 'stripe-signature': `t=1,v1=${testKeys.webhookSecret}` };
  await ask({ method: 'POST', url: '/api/webhooks/stripe', headers, payload: body });
}

/** A table that refuses a row reports the whole row, and that error goes to the log. */
async function fail() {
  const { id: itemId } = await aClass(app);
  for (const table of ['cart_item', '"user"', 'session'])
    await app.pool.query(`alter table ${table} add constraint canary check (id is null) not valid`);
  expect((await api('POST', 'bookeds', { itemId })).statusCode).toBe(500);
  await visitor.signIn(email, password);
  await visitor.auth('sign-up/email', aForm({ email: 'canary.other@example.com', name, password }));
}

it('no secret is in a log, table or refusal, no name in a log', async () => {
  for (const act of [signUp, changeAndReset, secondStep, pay, careFacts, knockEverywhere, fail])
    await act();
  await app.settled();
  const log = app.logs.join('');
  expect(secrets.size).toBeGreaterThan(25);
  expect(refusals.length).toBeGreaterThan(60);
  expect(log.match(/request failed/g)?.length).toBeGreaterThan(1);
  const found: string[] = [];
  for (const value of secrets) {
    const forms = [
      value,
      encodeURIComponent(value),
      JSON.stringify(value).slice(1, -1),
      btoa(value),
    ];
    if (forms.some((form) => log.includes(form))) found.push(`${value} in the log`);
    if (refusals.some((text) => text.includes(value))) found.push(`${value} in a refusal`);
  }
  // Bytes are shown in hexadecimal. The mailbox stands for the mail server, which gets the links.
  const stored = [...secrets].flatMap((value) => [value, Buffer.from(value).toString('hex')]);
  found.push(...(await findInDatabase(app, stored, { except: ['public.mailbox'] })));
  expect(found).toEqual([]);
  expect(log).not.toMatch(/@example\.com|Canary Person|Failing row/);
});

it('and would be found if it were', async () => {
  const planted = 'Canary#Planted99';
  app.server.log.warn({ deep: { planted } }, 'planted');
  expect(app.logs.join('')).toContain(planted);
  await app.pool.query('update care set sealed = convert_to($1, $2)', [planted, 'utf8']);
  const bytes = Buffer.from(planted).toString('hex');
  expect((await findInDatabase(app, bytes))[0]).toMatch(/^public\.care/);
});
