// When all journeys are over: did any of them leave a secret behind? Looked for is what the journeys really typed and were given, in all
// that the server said, in every refusal a browser got, in the provider's files and in every column of every table.
// NOT for: secrets used on purpose in every wrong way (test/canary.test.ts).
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Pool } from 'pg';
import { shownCards } from '../sandbox/cards.ts';
import { readPostmaster, urlOf } from '../server/db/postmaster.ts';
import { findInDatabase } from '../server/testing/search.ts';
import { expect, password as demoPassword, signUpPassword, test } from './fixtures.ts';
import { files } from './leftovers.ts';
import { password } from './people.ts';

const home = process.env['RALLY_DATA'] ?? '';
const read = (file: string) => readFile(join(home, file), 'latin1').catch(() => '');

/** How a secret looks, where it cannot be known beforehand: an access token, a session's cookie, the key to a payment. */
const shapes = { 'access token': 'eyJhbGciOi', cookie: 'rally.session_token=', 'key to a payment': '_secret_' };

test('no journey left a secret in a log, in a refusal or in the database', async () => {
  test.setTimeout(120_000);
  const secrets: Record<string, string> = {
    'password of the demo academy': demoPassword,
    'password of a person': password,
    'password that was typed': signUpPassword,
    'secret of the server': (await read('secret')).trim(),
    ...shapes,
    ...Object.fromEntries(shownCards().map(({ number }) => [`card ${number}`, number])),
  };
  // Told to people on purpose, so that they can try the demo; everything else that was said counts, the log and what is beside it.
  const log = (await read(files.log)).replace(`Demo accounts (password ${demoPassword}):`, '');
  const refusals = await read(files.refusals);
  // There is something to look at: the journeys were walked, and the log was at its most talkative.
  expect(log.match(/"msg":"answered"/g)?.length).toBeGreaterThan(1_000);
  expect(refusals.split('\n').length).toBeGreaterThan(10);
  const texts = { 'the log': log, 'a refusal': refusals, "the database's log": await read('postgres.log') };

  const postmaster = readPostmaster(home);
  if (!postmaster) throw new Error('the database of the journeys is gone');
  const pool = new Pool({ connectionString: urlOf(home, postmaster), max: 1 });
  const find = async (secret: string) => [
    ...Object.entries(texts).flatMap(([file, text]) => (text.includes(secret) ? [file] : [])),
    // The mailbox stands in for the post: letters carry their links.
    ...(await findInDatabase({ pool }, secret, { except: ['public.mailbox'] })).map((row) => row.slice(0, 120)),
  ];
  const found: string[] = [];
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length, name).toBeGreaterThan(7);
    found.push(...(await find(secret)).map((where) => `${name} in ${where}`));
  }
  // The card provider may know its own keys, but it has no use for a number either.
  const provider = (await read('sandbox.sqlite')) + (await read('sandbox.sqlite-wal'));
  found.push(...shownCards().flatMap(({ number }) => (provider.includes(number) ? [`card ${number} in sandbox`] : [])));
  const control = [...(await find('/api/create-payment-intent')), ...(await find('student@rally.test'))];
  await pool.end();
  expect(found).toEqual([]);
  // Control: what is no secret is found by the same means.
  expect(control).toEqual(expect.arrayContaining(['the log', expect.stringContaining('public."user"')]));
  expect(provider).toContain('pm_');
});
