// The OpenAPI document as other tools read it: a linter, a generator of types, a generated client.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namedCalls } from '../../contract/app/calls.ts';
import { openapi } from '../../contract/app/openapi.ts';
import { testApp } from '../../server/testing/app.ts';
import { aClass, aUser } from '../../server/testing/factories.ts';
import { aMember } from '../../server/testing/visitor.ts';

type Operation = {
  operationId: string;
  security: object[];
  parameters: { name: string; in: string; schema: object }[];
  requestBody?: { content: Record<string, { schema: { properties: Record<string, object> } }> };
  responses: Record<
    string,
    { content: Record<string, { schema: { properties: Record<string, object> } }> }
  >;
};
type Description = {
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Record<string, { name: string }> };
};

const describedAt = (url: string) => openapi({ brand: 'Rally', url }) as Description;
const description = describedAt('https://rally.academy');
const operations = Object.values(description.paths).flatMap((path) => Object.values(path));
const operation = (name: string) => operations.find(({ operationId }) => operationId === name);
const root = join(import.meta.dirname, '../..');

async function problemsOf(described: unknown) {
  const config = await createConfig({ extends: ['recommended'] });
  return lintFromString({ source: JSON.stringify(described), config });
}

describe('the OpenAPI document', () => {
  it("follows Redocly's recommended rules", async () => {
    expect(
      (await problemsOf(description)).map(({ ruleId, message }) => `${ruleId}: ${message}`),
    ).toEqual([]);
  });

  it('breaks one of them on the machine of a developer', async () => {
    const problems = await problemsOf(describedAt('http://localhost:3000'));
    expect(problems.map(({ ruleId }) => ruleId)).toEqual(['no-server-example.com']);
  });

  it('is really read by the linter', async () => {
    const [, ...others] = Object.entries(description.paths);
    const broken = {
      ...description,
      paths: { ...Object.fromEntries(others), '/a/{x}': { get: { responses: {} } } },
    };
    const rules = (await problemsOf(broken)).map(({ ruleId }) => ruleId);
    expect(rules).toEqual(expect.arrayContaining(['path-parameters-defined', 'security-defined']));
  });

  it('names every operation like the call, once', () => {
    const names = operations.map(({ operationId }) => operationId);
    expect(names.toSorted()).toEqual(namedCalls.map(({ name }) => name).toSorted());
    expect(new Set(names).size).toBe(names.length);
    expect(operation('listClasses')).toBe(description.paths['/classes']?.['get']);
  });

  it('describes the bounds of numbers, also where text is taken', () => {
    const query = Object.fromEntries(
      operation('listClasses')?.parameters.map((one) => [one.name, one.schema]) ?? [],
    );
    expect(query).toMatchObject({
      page: { type: 'integer', minimum: 1, maximum: 100_000 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      minPrice: { type: 'number', minimum: 0 },
      instructor: { type: 'string', format: 'uuid' },
    });
    const body = operation('addClass')?.requestBody?.content['application/json']?.schema.properties;
    expect(body).toMatchObject({
      price: { type: 'number', minimum: 0.5, maximum: 10_000 },
      seat: { type: 'integer', minimum: 1, maximum: 10_000 },
      email: { type: 'string', format: 'email' },
    });
    const answer =
      operation('getReceipt')?.responses['200']?.content['application/json']?.schema.properties;
    expect(answer).toMatchObject({
      _id: { format: 'uuid' },
      price: { type: 'number', minimum: 0 },
    });
  });
});

/** What a developer writes against the generated types. */
const client = `
import createClient from 'openapi-fetch';
import type { operations, paths } from './schema.d.ts';

type Classes = operations['listClasses']['responses'][200]['content']['application/json'];

export async function use(baseUrl: string, token: string, email: string, classId: string) {
  const api = createClient<paths>({ baseUrl });
  const authorization = { authorization: \`Bearer \${token}\` };

  const list = await api.GET('/classes', { params: { query: { page: 1, limit: 5, sort: 'name' } } });
  const classes: Classes | undefined = list.data;
  const names: string[] | undefined = classes?.result.map((one) => one.name);

  const added = await api.POST('/bookeds', { headers: authorization, body: { itemId: classId } });
  const cart = await api.GET('/bookeds', { headers: authorization, params: { query: { email } } });
  const prices: number[] | undefined = cart.data?.map((item) => item.price);

  const unknown = await api.GET('/classes/{id}', { params: { path: { id: '00000000-0000-4000-8000-000000000000' } } });
  const code: 'NOT_FOUND' | string | undefined = unknown.error?.code;

  // @ts-expect-error limit is a number.
  const wrong = await api.GET('/classes', { params: { query: { limit: 'many' } } });
  return { names, insertedId: added.data?.insertedId, prices, code, status: unknown.response.status, field: wrong.error?.field };
}
`;

const options = {
  strict: true,
  noEmit: true,
  module: 'nodenext',
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  types: [],
  noUncheckedIndexedAccess: true,
};

describe('a client generated by openapi-typescript', async () => {
  const app = await testApp();
  let folder = '';

  beforeAll(async () => {
    mkdirSync(join(root, '.cache'), { recursive: true });
    folder = mkdtempSync(join(root, '.cache', 'client-'));
    await app.server.listen({ port: 0, host: '127.0.0.1' });
    const typescript5 = pathToFileURL(join(import.meta.dirname, 'typescript5.ts')).href;
    const hooks = registerHooks({
      resolve: (name, context, next) =>
        name === 'typescript' ? { url: typescript5, shortCircuit: true } : next(name, context),
    });
    const { default: generate, astToString } = await import('openapi-typescript');
    hooks.deregister();
    const served = await app.ask({ url: '/api/openapi.json' });
    writeFileSync(join(folder, 'schema.d.ts'), astToString(await generate(served.body)));
    writeFileSync(join(folder, 'client.ts'), client);
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, files: ['client.ts'] }),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('compiles', async () => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const said = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch(
      (error: { stdout: string }) => error,
    );
    expect(said.stdout).toBe('');
  });

  it('calls: a list, two with a token, a refusal, a wrong field', async () => {
    const { id, name } = await aClass(app, { cents: 2_500 });
    const { token, email } = await aUser(app);
    const { port } = app.server.server.address() as AddressInfo;
    const { use } = (await import(pathToFileURL(join(folder, 'client.ts')).href)) as {
      use: (baseUrl: string, token: string, email: string, classId: string) => Promise<unknown>;
    };
    expect(await use(`http://127.0.0.1:${port}/api`, token, email, id)).toEqual({
      names: [name],
      insertedId: expect.stringMatching(/^[\da-f-]{36}$/),
      prices: [25],
      code: 'NOT_FOUND',
      status: 404,
      field: 'limit',
    });
  });

  it('would find the session in the cookie that is described', async () => {
    const { visitor } = await aMember(app);
    const described = describedAt(app.config.publicUrl).components.securitySchemes['session']?.name;
    expect([...visitor.cookies.keys()]).toContain(described);
  });
});
