// Runs after all journeys and searches for the secrets that they sent and received: in the logs, in
// every error response of a browser, in the provider's files and in every column of every table.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shownCards } from '../../packages/sandbox/cards.ts';
import { sandboxKeys } from '../../server/platform/sandbox.ts';
import { expect, password as demoPassword, people, signUpPassword, test } from './fixtures.ts';
import { files, home, readDatabase } from './leftovers.ts';
import { password } from './people.ts';

/** Fails when there is no such file, so that a missing file does not count as clean. */
const read = (file: string) => readFile(join(home, file), 'utf8');

/** Patterns of secrets whose values are not known beforehand. */
const shapes = {
  'access token': 'eyJhbGciOi',
  cookie: 'rally.session_token=',
  'key to a payment': '_secret_',
  'key of the provider': 'sk_test_',
  'secret of the webhooks': 'whsec_',
};

interface Place {
  name: string;
  text: string;
  /** Text that must be found here: it proves that the search works. */
  control: string;
  /** A log has no email address. */
  isLog?: boolean;
  /** Kinds of secrets that belong here. */
  home?: readonly string[];
}

/** The log without the demo accounts, which it prints on purpose. */
const withoutWelcome = (log: string) =>
  log.replace(/^Demo accounts \(password .*\):\n( {2}\w+ +\S+@rally\.test\n)+/m, '');

const ready = 'database system is ready to accept connections';

/** The mailbox of the demo has the mailed links, and no other secret. */
const links = /(?:[?&]token=|\/(?:invitation|join|newaddress)#)([^&\s]+)/g;

async function places(tables: Record<string, string>): Promise<Place[]> {
  // The card provider has its own keys, but neither card numbers nor our secrets.
  const provider = await Promise.all(
    ['sandbox.sqlite', 'sandbox.sqlite-wal'].map((file) => readFile(join(home, file), 'latin1')),
  );
  const own = ['key to a payment', 'secret of the webhooks', 'clientSecret', 'client_secret'];
  return [
    {
      name: 'the log',
      text: withoutWelcome(await read(files.log)),
      control: '/api/create-payment-intent',
      isLog: true,
    },
    { name: 'a refusal', text: await read(files.refusals), control: '"code":"WRONG_CREDENTIALS"' },
    { name: "the database's log", text: await read('postgres.log'), control: ready, isLog: true },
    { name: 'the provider', text: provider.join(''), control: 'pm_', home: own },
    ...Object.entries(tables)
      .filter(([, text]) => text !== '')
      .map(([name, text]) => ({
        name,
        text: name === 'public.mailbox' ? text.replace(links, '') : text,
        control: '',
      })),
  ];
}

type Secret = readonly [kind: string, value: string];

/** The secrets that the browsers sent and received. */
const learnt = async () =>
  (await read(files.secrets))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Secret);

async function secretsOf(tables: Record<string, string>): Promise<Secret[]> {
  const ours = (await read('secret')).trim();
  const { secretKey, webhookSecret } = sandboxKeys(ours);
  const mailed = [...(tables['public.mailbox'] ?? '').matchAll(links)].map(
    ([, token = '']) => token,
  );
  return [
    ['password of the demo academy', demoPassword],
    ['password of a person', password],
    ['password that was typed', signUpPassword],
    ['secret of the server', ours],
    ['key of the provider', secretKey],
    ['secret of the webhooks', webhookSecret],
    ...Object.entries(shapes),
    ...mailed.map((token) => ['token of a mail', decodeURIComponent(token)] as const),
    ...shownCards().flatMap(({ number }) => [
      ['card', number] as const,
      ['card as people write it', number.replace(/.{4}(?=.)/g, '$& ')] as const,
    ]),
    ...(await learnt()),
  ];
}

/** As it is, and as it looks in an address, in a form, in JSON and in a header. */
const formsOf = (value: string) =>
  new Set(
    [
      value,
      encodeURIComponent(value),
      String(new URLSearchParams({ '': value })).slice(1),
      JSON.stringify(value).slice(1, -1),
      Buffer.from(value).toString('base64').replace(/=+$/, ''),
    ].map((form) => form.toLowerCase()),
  );

function find(secrets: Secret[], all: Place[]): string[] {
  const unique = new Map(secrets.map((secret) => [secret.join(' '), secret]));
  const lower = all.map((place) => ({ ...place, text: place.text.toLowerCase() }));
  return [...unique.values()].flatMap(([kind, value]) => {
    const forms = [...formsOf(value)];
    return lower
      .filter(
        (place) => !place.home?.includes(kind) && forms.some((form) => place.text.includes(form)),
      )
      .map(({ name }) => `${kind} ${value} in ${name}`);
  });
}

test('no journey left a secret in a log, a refusal or a table', async () => {
  const tables = await readDatabase();
  const secrets = await secretsOf(tables);
  const all = await places(tables);
  expect(find(secrets, all)).toEqual([]);
  // No log has an email address.
  const addresses = /[^\s"]*(@|%40)(example\.com|rally\.test)/gi;
  expect(
    all.filter(({ isLog }) => isLog).flatMap(({ text }) => text.match(addresses) ?? []),
  ).toEqual([]);

  // Controls: the journeys ran, the log had its most verbose level, and the same search finds
  // something in every place.
  const [log, refusals] = all;
  expect(log?.text.match(/"msg":"answered"/g)?.length).toBeGreaterThan(1_000);
  expect(refusals?.text.split('\n').length).toBeGreaterThan(10);
  expect(
    all.filter(({ text, control }) => !text.includes(control)).map(({ name }) => name),
  ).toEqual([]);
  const planted: Secret[] = [
    ['address', people.student],
    ['intent', 'pi_'],
  ];
  expect(find(planted, all)).toEqual(
    expect.arrayContaining([
      `address ${people.student} in public."user"`,
      'intent pi_ in public.payment',
      'intent pi_ in the provider',
    ]),
  );
  expect(
    find(
      [['escaped', 'a "b" & #c']],
      [{ name: 'x', text: 'GET /a%20%22b%22%20%26%20%23c', control: '' }],
    ),
  ).toHaveLength(1);
  // What the tests of this part must have sent and received.
  const part = process.env['BROWSER_PART'];
  const isProof = part === 'proof' || part === 'short';
  const { values: typed, kinds: sent } = isProof ? inProof : inTest;
  const values = secrets.map(([, value]) => value);
  expect(values).toEqual(expect.arrayContaining(typed));
  const kinds = new Set(secrets.map(([kind]) => kind));
  expect(sent.filter((kind) => !kinds.has(kind))).toEqual([]);
});

/** What the tests of `npm test` send, and the kinds of secrets that they send or get. */
const inTest = {
  values: ['Wrong#2026', 'Squash#2027', 'Smash&Serve9'],
  kinds: [
    'token of a mail',
    'cookie rally.session_token',
    'cookie rally.two_factor',
    'token',
    'secret',
    'uri',
    'backupCodes',
    'code',
    'clientSecret',
    'client_secret',
    'currentPassword',
    'newPassword',
  ],
};
/** The same for the proof `browser`. */
const inProof = {
  values: ['Wrong#2026', 'Smash&Serve9'],
  kinds: ['cookie rally.session_token', 'token', 'clientSecret', 'client_secret'],
};
