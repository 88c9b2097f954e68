// Better Auth and our migrations know the same tables, second factors included.
import { getMigrations } from 'better-auth/db/migration';
import { expect, it } from 'vitest';
import { testApp } from '../../testing/app.ts';
import { authOptions, ownOrigins } from './betterauth.ts';

const app = await testApp();
const options = authOptions({
  config: app.config,
  database: { ...app, close: () => Promise.resolve() },
  onVerified: () => Promise.resolve(),
  onTakenOver: () => Promise.resolve(),
  queueMail: () => Promise.resolve(),
  complain: () => {},
});

it('Better Auth finds nothing to migrate', async () => {
  const { toBeCreated, toBeAdded, toBeAddedIndexes } = await getMigrations(options);
  expect(toBeCreated).toEqual([]);
  expect(toBeAdded).toEqual([]);
  expect(toBeAddedIndexes).toEqual([]);
});

it('and would find it if something were missing', async () => {
  const more = {
    ...options,
    user: { ...options.user, additionalFields: { shoeSize: { type: 'number' as const } } },
  };
  const { toBeAdded } = await getMigrations(more);
  expect(toBeAdded).toHaveLength(1);
});

it('the address that somebody typed on their own machine is ours, in production only the public one', () => {
  const { config } = app;
  expect(ownOrigins(config, '127.0.0.1:4000')).toEqual([config.publicUrl, 'http://127.0.0.1:4000']);
  expect(ownOrigins(config, 'localhost.evil.example')).toEqual([config.publicUrl]);
  expect(ownOrigins({ ...config, production: true }, 'localhost:4000')).toEqual([config.publicUrl]);
});
