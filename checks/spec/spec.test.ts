// What must not change: the specified calls, the sign-in calls, their description and the texts of
// the mails, as recorded in this folder (README.md). RECORD=1 writes the files again.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { namedCalls } from '../../contract/app/calls.ts';
import { openapi } from '../../contract/app/openapi.ts';
import { samples } from '../../server/testing/mailsamples.ts';
import { type Recorded, replay } from './replay.ts';

const here = (name: string) => join(import.meta.dirname, name);
const read = (name: string): unknown => JSON.parse(readFileSync(here(name), 'utf8'));
const files = ['calls', 'signin'].flatMap((folder) =>
  readdirSync(here(folder)).map((name) => `${folder}/${name}`),
);

/** As a file has it; with RECORD=1 the file has it from now on. */
function kept(name: string, now: object): unknown {
  const text = `${JSON.stringify(now, null, 2)}\n`;
  if (process.env['RECORD']) writeFileSync(here(name), text);
  return JSON.parse(text);
}

/** The 19 routes of section 7 of the specification. */
const specified = new Set(
  `jwt createUser listClasses listInstructorClasses addClass listInstructors listCart addToCart
  removeFromCart listUsers makeAdmin makeInstructor approveClass denyClass isAdmin isInstructor
  createIntent recordPayment listPayments`.split(/\s+/),
);

it.each(files)('%s answers as recorded', async (name) => {
  const now = await replay(read(name) as Recorded);
  expect(kept(name, now)).toEqual(read(name));
});

it('notices one changed word of an answer', async () => {
  const name = 'calls/get-users.instructor.json';
  const planted = readFileSync(here(name), 'utf8').replace('"instructor": true', '"coach": true');
  const file = JSON.parse(planted) as Recorded;
  const now = await replay(file);
  expect(now).not.toEqual(file);
  expect(now).toEqual(read(name));
});

it('every specified call and every sign-in call is recorded', () => {
  const recorded = files.flatMap((name) =>
    (read(name) as Recorded).steps.flatMap(({ situation, call }) =>
      situation && call ? [call.replace(/\?.*/, '')] : [],
    ),
  );
  const expected = namedCalls.filter(
    ({ name, part }) => specified.has(name) || part === 'auth' || part === 'join',
  );
  const missing = expected.filter(({ call: { method, path } }) => {
    const pattern = new RegExp(`^${method} /api${path.replace(/:\w+/g, '[^/]+')}$`);
    return !recorded.some((one) => pattern.test(one));
  });
  expect({ missing: missing.map(({ name }) => name), calls: expected.length }).toEqual({
    missing: [],
    calls: 42,
  });
});

/** Of what is said in words only the codes of errors count. */
const codesOf = (key: string, value: unknown) =>
  typeof value === 'string' && (key === 'summary' || key === 'description')
    ? value.match(/[A-Z_]{6,}(?=:)/g)?.join(' ')
    : value;

it('the specified calls are described as recorded', () => {
  const { paths } = openapi({ brand: 'Rally', url: 'https://rally.academy' }) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => specified.has(operationId))
      .map(([method, described]) => [`${method.toUpperCase()} ${path}`, described]),
  );
  const now = JSON.parse(JSON.stringify(Object.fromEntries(operations), codesOf)) as object;
  expect(kept('openapi.json', now)).toEqual(read('openapi.json'));
});

it('the mails say what is recorded', () => {
  const academy = { brand: 'Rally', publicUrl: 'https://rally.test', timeZone: 'Europe/Lisbon' };
  const texts = Object.entries(samples(academy)).map(([name, { subject, text }]) => [
    name,
    { subject, text: text.split('\n') },
  ]);
  const now = Object.fromEntries(texts) as object;
  expect(kept('mails.json', now)).toEqual(read('mails.json'));
});

it('the README names every file of the folder', () => {
  const readme = readFileSync(here('README.md'), 'utf8');
  const all = [...files, 'openapi.json', 'mails.json'];
  expect(all.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});
