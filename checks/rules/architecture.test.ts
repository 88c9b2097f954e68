// The architecture rules, run on the tree. Each has a planted violation that it must find, because
// such a check can pass by checking nothing.
import { describe, expect, it } from 'vitest';
import { calls } from '../../contract/app/calls.ts';
import { testApp } from '../../server/testing/app.ts';
import * as house from './house.ts';

const rules: Record<string, { rule: house.Rule; planted: house.SourceFile[] }> = {
  'rooms import to the left': {
    rule: house.directions,
    planted: [
      { path: 'contract/people/x.ts', text: `import { a } from '../checkout/cart.ts';` },
      { path: 'contract/people/y.ts', text: `import { a } from '../../server/app/app.ts';` },
      { path: 'server/people/x.ts', text: `import { a } from '../checkout/cart.ts';` },
      { path: 'server/platform/x.ts', text: `import type { A } from '../../web/app/main.tsx';` },
      { path: 'server/unknown/x.ts', text: '' },
      { path: 'web/classes/x.tsx', text: `const a = await import('../app/router.tsx');` },
      { path: 'packages/sandbox/x.ts', text: `import '../../contract/platform/rules.ts';` },
    ],
  },
  'no files import one another in a circle': {
    rule: house.noImportCircle,
    planted: [{ path: 'server/checkout/cart.ts', text: `import type { A } from './cart.ts';` }],
  },
  'the contract imports zod and nothing else': {
    rule: house.contractNeedsOnlyZod,
    planted: [{ path: 'contract/x.ts', text: `import fs from 'node:fs';` }],
  },
  'each outside part is known to its one file': {
    rule: house.keepersOnly,
    planted: [
      { path: 'server/x.ts', text: 'const a = process.env.PORT;' },
      { path: 'server/platform/db/x.ts', text: `import type { FastifyInstance } from 'fastify';` },
      { path: 'server/f.ts', text: `import type { FastifyRequest } from 'fastify';` },
      { path: 'server/people/f.ts', text: `import rateLimit from '@fastify/rate-limit';` },
      { path: 'server/y.ts', text: `import Stripe from 'stripe';` },
      { path: 'server/z.ts', text: `import mailer from 'nodemailer';` },
      { path: 'server/rollcall/x.ts', text: 'sql`delete from mark where id = 1`' },
      { path: 'server/a.ts', text: `sql\`hold.state in ('held', 'releasing')\`` },
      { path: 'server/b.ts', text: `sql\`e.state = 'active'\`` },
      { path: 'server/c.ts', text: 'sql`where on_sale(class)`' },
      { path: 'server/d.ts', text: 'sql`u.email not like ${`%${deletedDomain}`}`' },
    ],
  },
  'only the ball and the logo are yellow': {
    rule: house.yellowIsNext,
    planted: [{ path: 'web/classes/x.tsx', text: '<span className="badge bg-accent">new</span>' }],
  },
  'only the server knows SQL': {
    rule: house.sqlInServer,
    planted: [
      { path: 'web/classes/x.tsx', text: 'const a = sql`select 1`;' },
      { path: 'contract/x.ts', text: 'const a = sql<{ id: string }>`select 1`;' },
      { path: 'packages/x.ts', text: `import pg from 'pg';` },
      { path: 'web/x.ts', text: `import { Kysely } from 'kysely';` },
    ],
  },
  'a room writes its own tables, and a few named files one of another room': {
    rule: house.tablesOfTheRoom,
    planted: [
      { path: 'server/people/x.ts', text: 'sql`delete from session where true`' },
      { path: 'server/academy/x.ts', text: 'sql`insert into "payment" (id) values (1)`' },
      { path: 'server/classes/x.ts', text: 'sql`update hold set state = 1`' },
      { path: 'server/signin/x.ts', text: `db.updateTable('cartItem').set({})` },
      { path: 'server/checkout/x.ts', text: 'sql`insert into unheard_of values (1)`' },
    ],
  },
  'every transaction is opened by the frame': {
    rule: house.transactionsInTheFrame,
    planted: [
      { path: 'server/people/x.ts', text: 'await db.transaction().execute(work)' },
      { path: 'server/app/admin.ts', text: 'await database.transaction(work)' },
    ],
  },
  'several participants are locked in one order': {
    rule: house.participantsInOrder,
    planted: [
      {
        path: 'server/people/x.ts',
        text: 'sql`select from participant where id = any (${ids}) order by id for key share`',
      },
      {
        path: 'server/checkout/x.ts',
        text: 'sql`select from participant where id in (select 1)\n order by id for no key update`',
      },
    ],
  },
  "visitors read the academy's name and no season": {
    rule: house.neutralTexts,
    planted: [
      { path: 'contract/platform/errors.ts', text: `GONE: [404, 'Rally has no such page.']` },
      { path: 'web/x.tsx', text: '<p>Book Summer classes</p>' },
    ],
  },
  'no file is longer than 400 lines': {
    rule: house.shortFiles,
    planted: [{ path: 'server/x.ts', text: 'a\n'.repeat(401) }],
  },
  'no line of code is longer than 100 columns': {
    rule: house.shortLines,
    planted: [{ path: 'web/x.ts', text: `const a = ${'b + '.repeat(25)}'and a text';` }],
  },
  'no title of a test is longer than 60 characters': {
    rule: house.shortTitles,
    planted: [{ path: 'web/x.test.ts', text: `it('${'a'.repeat(61)}', work);` }],
  },
  'exports are named': {
    rule: house.namedExports,
    planted: [{ path: 'web/x.tsx', text: 'export default function X() {}' }],
  },
  'a style that depends on the place of an element names what it is for': {
    rule: house.namedSubjects,
    planted: [
      { path: 'web/x.tsx', text: '<tbody className="[&>tr:last-child>*]:pb-3">' },
      { path: 'web/x.css', text: '.list > :nth-child(2n + 1) > * {}' },
    ],
  },
  'nothing is skipped, silenced or put off': {
    rule: house.nothingPutOff,
    planted: [
      { path: 'server/x.test.ts', text: 'it.only("x", () => {})' },
      { path: 'web/x.ts', text: 'const a = b as any' },
    ],
  },
};

describe('the architecture', () => {
  const files = house.sourceFiles();

  it('has files and imports to check', () => {
    expect(files.length).toBeGreaterThan(60);
    expect(
      files.flatMap(house.importsOf).filter((name) => name.startsWith('contract/')).length,
    ).toBeGreaterThan(20);
  });

  describe.each(Object.entries(rules))('%s', (_name, { rule, planted }) => {
    it('holds', () => expect(rule(files)).toEqual([]));
    it.each(planted)('is found when broken in $path', (file) => {
      const others = files.filter(({ path }) => path !== file.path);
      expect(rule([...others, file])).not.toEqual([]);
    });
  });
});

describe('every call of the contract', () => {
  it('has its own method and path', () => {
    expect(calls.map((call) => call.id)).toEqual([...new Set(calls.map((call) => call.id))]);
  });

  it('is implemented exactly once', async () => {
    const { registered } = await testApp();
    expect(registered.toSorted()).toEqual(calls.map((call) => call.id).toSorted());
  });
});
