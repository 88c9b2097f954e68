// The OpenAPI document as other tools read it.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { namedCalls } from '../../contract/app/calls.ts';
import { openapi } from '../../contract/app/openapi.ts';
import { testApp } from '../../server/testing/app.ts';
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
      paymentId: { format: 'uuid' },
      cents: { type: 'integer', minimum: 0 },
    });
  });

  it('names the cookie of the session', async () => {
    const app = await testApp();
    const { visitor } = await aMember(app);
    const described = describedAt(app.config.publicUrl).components.securitySchemes['session']?.name;
    expect([...visitor.cookies.keys()]).toContain(described);
  });
});
