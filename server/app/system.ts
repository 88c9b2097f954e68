// Routes about the server itself: health, readiness, OpenAPI, documentation, security.txt.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { openapi } from '../../contract/app/openapi.ts';
import type { Config } from '../platform/config.ts';
import { isMigrated } from '../platform/db/migrate.ts';
import { escapeHtml } from '../../contract/platform/rules.ts';
import { fail } from '../platform/http/fail.ts';
import { json } from '../platform/http/memory.ts';
import type { Door } from '../platform/http/server.ts';

interface Around {
  pool: pg.Pool;
  door: Door;
  /** Brand and contact change while the server runs. */
  config: Pick<Config, 'brand' | 'publicUrl' | 'securityContact' | 'apiDocs'>;
}

export function system(app: FastifyInstance, { pool, door, config }: Around): void {
  let described = { brand: '', text: '' };
  /** Made once: it is large, and anybody may ask for it. */
  const description = (brand: string) => {
    if (described.brand !== brand)
      described = { brand, text: JSON.stringify(openapi({ brand, url: config.publicUrl })) };
    return described.text;
  };
  let migrated = false;

  app.get('/api/health', async () => ({ status: 'ok' }));

  app.get('/api/ready', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    if (door.leaving) fail('UNAVAILABLE', {}, 1);
    await pool.query('select 1');
    migrated ||= await isMigrated(pool);
    if (!migrated) fail('UNAVAILABLE', {}, 1);
    return { status: 'ready' };
  });

  app.get('/api/openapi.json', { onRequest: app.rateLimit() }, (_request, reply) =>
    reply.header('cache-control', 'no-cache').type(json).send(description(config.brand)),
  );

  if (config.apiDocs) serveDocs(app, config);

  app.get('/.well-known/security.txt', (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(securityText(config)),
  );

  app.setNotFoundHandler(() => fail('NOT_FOUND'));
}

function serveDocs(app: FastifyInstance, config: Pick<Config, 'brand'>): void {
  app.get('/api/docs', (request, reply) =>
    reply.type('text/html; charset=utf-8').send(docsPage(config.brand, request.nonce)),
  );
  app.get<{ Params: { file: string } }>('/api/docs/:file', async ({ params }, reply) => {
    const type = viewerFiles[params.file];
    if (!type) fail('NOT_FOUND');
    const file = await readFile(join(viewer, params.file));
    return reply.type(type).header('cache-control', 'public, max-age=86400').send(file);
  });
}

/** Where to report a vulnerability (RFC 9116). It needs an expiry date: half a year from today. */
function securityText(of: Pick<Config, 'securityContact' | 'publicUrl'>): string {
  const expires = new Date(Date.now() + 180 * 86_400_000).toISOString().slice(0, 10);
  return [
    `Contact: ${of.securityContact}`,
    `Expires: ${expires}T00:00:00.000Z`,
    'Preferred-Languages: en',
    `Canonical: ${of.publicUrl}/.well-known/security.txt`,
    '',
  ].join('\n');
}

// Swagger UI from its package: the page loads nothing from other hosts.
const viewer = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const viewerFiles: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

const docsPage = (brand: string, nonce: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(brand)} | API</title>
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
</head>
<body>
<div id="api"></div>
<script nonce="${nonce}" src="/api/docs/swagger-ui-bundle.js"></script>
<script nonce="${nonce}">SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#api', docExpansion: 'list', tryItOutEnabled: false, validatorUrl: null })</script>
</body>
</html>
`;
