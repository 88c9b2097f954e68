// The rules of the configuration, as an operator meets them.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError, environmentKeys, misspelt, readConfig } from './config.ts';
import { isSecret } from './secrets.ts';

const folder = mkdtempSync(join(tmpdir(), 'rally-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const strong = 'q7Zr0m-VtY3kLx9uEwB2nHs5_dJcPa8fGiTo4RvKyMb';
const production = {
  NODE_ENV: 'production',
  DATA_DIR: folder,
  AUTH_SECRET: strong,
  CARE_KEYS: '1:pGUbahc1AJQMVnCcDcZ+Ap2EO5IXB0v81ee5cd3zzbU=',
  PUBLIC_URL: 'https://rally.club',
  TRUST_PROXY: 'none',
  SMTP_URL: 'smtps://user:pw@mail.rally.club',
  STRIPE_SECRET_KEY: 'sk_live_51Hq9TzL2kVb',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_51Hq9TzL2kVb',
  STRIPE_WEBHOOK_SECRET: 'whsec_Jx81mVq0Lw',
};

function problems(env: NodeJS.ProcessEnv): string[] {
  try {
    readConfig({ DATA_DIR: folder, ...env });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('with nothing set', () => {
  it('starts on this machine alone, with stand-ins for the world', () => {
    expect(readConfig({ DATA_DIR: folder })).toMatchObject({
      production: false,
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://localhost:3000',
      brand: 'Rally Sports Academy',
      databaseUrl: null,
      google: null,
      smtpUrl: null,
      stripe: null,
      rateLimit: true,
      drainSeconds: 0,
      liveStreams: 6_000,
      trustProxy: false,
      adminEmail: null,
      strictPasswords: false,
    });
  });

  it('keeps its data in .data, and the origin of its address', () => {
    const read = readConfig({ AUTH_SECRET: strong, PUBLIC_URL: 'https://rally.club/' });
    expect(read.dataDir).toBe(join(import.meta.dirname, '../..', '.data'));
    expect(read.publicUrl).toBe('https://rally.club');
  });

  it('makes a secret and a care key once, for its owner alone', () => {
    const first = readConfig({ DATA_DIR: folder });
    expect(isSecret(first.secret)).toBe(true);
    expect(first.careKeys).toEqual([{ id: 1, key: expect.any(Buffer) }]);
    expect(readConfig({ DATA_DIR: folder })).toEqual(first);
    for (const file of ['secret', 'care-keys'])
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  });

  it('treats an empty or blank value as not set', () => {
    const blank = { DATA_DIR: folder, PORT: '', DATABASE_URL: ' ', BRAND_NAME: '' };
    expect(readConfig(blank)).toEqual(readConfig({ DATA_DIR: folder }));
  });
});

describe('with something wrong', () => {
  it('names a DATA_DIR that is a file', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(problems({ DATA_DIR: file })).toEqual([`DATA_DIR must be a folder: ${file} is a file`]);
  });

  it('names a setting that is misspelt, and no other variable', () => {
    const given = { CURENCY: 'eur', MAIL_FORM: 'x', PATH: '/', POST: '1', CURRENCY: 'eur' };
    expect(misspelt(given)).toEqual([
      'CURENCY is not a setting. Did you mean CURRENCY?',
      'MAIL_FORM is not a setting. Did you mean MAIL_FROM?',
    ]);
  });

  it('lists every problem at once, each line naming its variable', () => {
    const wrong = {
      PORT: 'eighty',
      NODE_ENV: 'prod',
      DATABASE_URL: 'mysql://x',
      PUBLIC_URL: 'https://rally.club/shop',
      AUTH_SECRET: 'short',
      RATE_LIMIT: 'no',
      TRUST_PROXY: 'true',
      SMTP_URL: 'http://mail',
      MAIL_FROM: 'nobody',
      ADMIN_EMAIL: 'boss',
      LOG_LEVEL: 'loud',
      HOST: 'a b',
      BRAND_NAME: 'two\nlines',
    };
    const found = problems({ ...wrong, GOOGLE_CLIENT_ID: 'id', STRIPE_SECRET_KEY: 'sk_test_abc' });
    const missing = ['GOOGLE_CLIENT_SECRET', 'STRIPE_WEBHOOK_SECRET'];
    for (const name of [...Object.keys(wrong), ...missing])
      expect(found.some((line) => line.includes(name))).toBe(true);
    expect(found).toHaveLength(15);
  });

  it('never repeats a value, which may be a secret', () => {
    expect(problems({ AUTH_SECRET: 'hunter2', DATABASE_URL: 'hunter2' }).join()).not.toContain(
      'hunter2',
    );
  });

  it.each([
    [
      'an owner of the database without who serves',
      { MIGRATE_DATABASE_URL: 'postgres://owner@db/rally' },
      'DATABASE_URL missing: MIGRATE_DATABASE_URL only migrates it',
    ],
    [
      'a Stripe test key together with a live one',
      {
        STRIPE_SECRET_KEY: 'sk_live_a',
        STRIPE_PUBLISHABLE_KEY: 'pk_test_a',
        STRIPE_WEBHOOK_SECRET: 'whsec_a',
      },
      'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must both be test keys or both be live keys',
    ],
    [
      'a time zone without rules',
      { TIME_ZONE: '+01:00' },
      'TIME_ZONE must be an IANA time zone such as Europe/Lisbon',
    ],
  ])('refuses %s', (_what, env, problem) => expect(problems(env)).toEqual([problem]));
});

it.each([strong.slice(1), 'correct horse battery staple and forty-three more', `${strong}!`])(
  'refuses %j as a secret and prints a fresh one',
  (secret) => {
    const [told, ...others] = problems({ AUTH_SECRET: secret });
    expect(told).toContain('AUTH_SECRET must be 32 random bytes in base64');
    expect(told).not.toContain(secret);
    expect(others).toEqual([]);
    expect(problems({ AUTH_SECRET: told?.split(' ').at(-1) })).toEqual([]);
  },
);

it.each(['base64', 'base64url', 'hex'] as const)('takes 32 random bytes in %s', (form) => {
  expect(problems({ AUTH_SECRET: randomBytes(32).toString(form) })).toEqual([]);
});

const aFile = (content: string) => {
  const path = join(folder, 'mounted');
  writeFileSync(path, content);
  return path;
};

describe('a secret from a file', () => {
  it('is the content of the file, without the last line break', () => {
    const given = { ...production, AUTH_SECRET: '', AUTH_SECRET_FILE: aFile(`${strong}\n`) };
    expect(readConfig(given).secret).toBe(strong);
    expect(misspelt(given)).toEqual([]);
    expect(misspelt({ AUTH_SECRETFILE: '/x' })).toHaveLength(1);
  });

  it('is held to the rules of the setting', () => {
    const [told, ...others] = problems({ AUTH_SECRET_FILE: aFile('short') });
    expect(told).toContain('AUTH_SECRET must be 32 random bytes');
    expect(others).toEqual([]);
  });

  it('does not go together with the setting itself', () => {
    const given = { AUTH_SECRET: strong, AUTH_SECRET_FILE: aFile(strong) };
    expect(problems(given)).toEqual(['AUTH_SECRET and AUTH_SECRET_FILE are both set: keep one']);
  });

  it.each(['', ' \n'])('must be there: %j is refused', (content) => {
    const path = content ? aFile(content) : join(folder, 'nowhere');
    expect(problems({ SMTP_URL_FILE: path })).toEqual([
      'SMTP_URL_FILE must be a file with the value, which we may read',
    ]);
  });
});

const aKey = 'pGUbahc1AJQMVnCcDcZ+Ap2EO5IXB0v81ee5cd3zzbU=';

it('takes several care keys, the first of which seals', () => {
  const { careKeys } = readConfig({
    DATA_DIR: folder,
    CARE_KEYS: `2:${Buffer.alloc(32, 7).toString('base64url')}, 1:${aKey}`,
  });
  expect(careKeys.map(({ id }) => id)).toEqual([2, 1]);
  expect(careKeys.every(({ key }) => key.length === 32)).toBe(true);
});

it.each([aKey, '1:', `1:${aKey},1:${aKey}`, `0:${aKey}`, `1:${aKey.slice(4)}`, `1:${aKey},`])(
  'refuses the care keys %s without repeating them',
  (keys) => {
    const refused = [expect.stringMatching(/^CARE_KEYS must be keys of 32 bytes/)];
    expect(problems({ CARE_KEYS: keys })).toEqual(refused);
  },
);

describe('in production', () => {
  it('does not start without its secrets, and makes none up', () => {
    const found = problems({ NODE_ENV: 'production' }).join('\n');
    for (const key of ['AUTH_SECRET', 'CARE_KEYS', 'PUBLIC_URL', 'SMTP_URL', 'STRIPE_SECRET_KEY'])
      expect(found).toContain(key);
  });

  it('prints fresh secrets, and starts with them', () => {
    const given = { ...production, AUTH_SECRET: '', CARE_KEYS: '' };
    const [AUTH_SECRET, CARE_KEYS] = problems(given).map((line) => line.split(' ').at(-1));
    expect(problems({ ...given, AUTH_SECRET, CARE_KEYS })).toEqual([]);
  });

  it.each([
    ['the address that people type', { PUBLIC_URL: '' }, 'PUBLIC_URL is required in production'],
    ['https', { PUBLIC_URL: 'http://rally.club' }, 'PUBLIC_URL must start with https://'],
    ['the proxy in front', { TRUST_PROXY: '' }, 'TRUST_PROXY is required behind https'],
    ['limits', { RATE_LIMIT: 'off' }, 'RATE_LIMIT must not be off in production'],
    ['costly hashes', { PASSWORD_COST: 'cheap' }, 'PASSWORD_COST must not be cheap in production'],
    ['a number of seconds', { DRAIN_SECONDS: 'long' }, 'DRAIN_SECONDS must be a number'],
  ])('needs %s', (_what, env, problem) =>
    expect(problems({ ...production, ...env })).toEqual([expect.stringContaining(problem)]),
  );

  it.each([
    { PUBLIC_URL: 'http://127.0.0.1:3000' },
    { PUBLIC_URL: 'http://localhost:8080' },
    { PUBLIC_URL: 'https://localhost', TRUST_PROXY: '' },
  ])('may be tried on this machine: %j', (env) =>
    expect(problems({ ...production, ...env })).toEqual([]),
  );

  it('drains for five seconds, and hashes at full cost', () => {
    const careful = { drainSeconds: 5, passwordCost: 'full', trustProxy: false };
    expect(readConfig(production)).toMatchObject(careful);
  });
});

describe('what can be chosen', () => {
  it('accepts any OpenID Connect issuer instead of Google', () => {
    const keys = { DATA_DIR: folder, GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'pw' };
    expect(readConfig(keys).google?.issuer).toBe('https://accounts.google.com');
    expect(readConfig({ ...keys, GOOGLE_ISSUER: 'http://127.0.0.1:9000/' }).google?.issuer).toBe(
      'http://127.0.0.1:9000',
    );
    expect(problems({ ...keys, GOOGLE_ISSUER: 'http://issuer.example.org' })).toHaveLength(1);
  });

  it('trusts named proxies, by address or by number of hops', () => {
    expect(readConfig({ DATA_DIR: folder, TRUST_PROXY: '10.0.0.0/8, ::1' }).trustProxy).toBe(
      '10.0.0.0/8,::1',
    );
    expect(readConfig({ DATA_DIR: folder, TRUST_PROXY: '2' }).trustProxy).toBe(2);
    expect(problems({ TRUST_PROXY: '10.0.0.0/33' })).toHaveLength(1);
  });

  it.each([
    [{ MAIL_FROM: 'Rally <a@rally.club>', CONTACT_EMAIL: 'b@rally.club' }, 'b@rally.club'],
    [{ MAIL_FROM: 'Rally <a@rally.club>' }, 'a@rally.club'],
    [{ MAIL_FROM: 'a@rally.club' }, 'a@rally.club'],
    [{}, null],
    [{ NODE_ENV: 'test' }, 'hello@rally.test'],
  ])('%j: customers write to %s', (given, mailbox) =>
    expect(readConfig({ ...production, ...given }).contactEmail).toBe(mailbox),
  );
});

it('explains every variable in .env.example, and no other', () => {
  const lines = readFileSync(join(import.meta.dirname, '../..', '.env.example'), 'utf8').split(
    '\n',
  );
  const keys = lines
    .map((line) => /^([A-Z_]+)=/.exec(line)?.[1])
    .filter((key) => key !== undefined);
  expect(keys.toSorted()).toEqual([...environmentKeys].toSorted());
});
