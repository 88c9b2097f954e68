// Routes about the server itself: the OpenAPI document and the page for it.
import { expect, it } from 'vitest';
import { readConfig } from '../platform/config.ts';
import { testApp } from '../testing/app.ts';
import { production } from '../testing/squatted.ts';

const { apiDocs } = readConfig(production);
const app = await testApp({ production: true, apiDocs });

it('production has the API page only when API_DOCS is on', async () => {
  const opened = await testApp({ production: true, apiDocs: true });
  const paths = ['/api/docs', '/api/docs/swagger-ui.css', '/api/openapi.json'];
  const statuses = (of: typeof app) =>
    Promise.all(paths.map(async (url) => (await of.ask({ url })).statusCode));
  expect(await statuses(app)).toEqual([404, 404, 200]);
  expect(await statuses(opened)).toEqual([200, 200, 200]);
});

it('production has no page of mails', async () => {
  for (const url of ['/dev/mail', '/dev/mail.json'])
    expect((await app.ask({ url })).statusCode).toBe(404);
});
