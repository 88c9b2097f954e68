// The servers that Rally is measured against, each in its plainest form. `node bench/rivals.ts
// bare|query`, configured by the environment.
import { createServer } from 'node:http';
import fastify from 'fastify';
import { Pool } from 'pg';

const kind = process.argv[2];
const say = (port: number) => console.log(`rival ${kind} is open at http://127.0.0.1:${port}`);

if (kind === 'bare') {
  // The minimum of Node: the same bytes and headers, no routing, no decisions.
  const { body, headers } = JSON.parse(process.env['BENCH_ANSWER'] ?? '{}') as {
    body: string;
    headers: Record<string, string>;
  };
  const bytes = Buffer.from(body);
  const server = createServer((_request, response) => {
    response.writeHead(200, { ...headers, 'content-length': bytes.length });
    response.end(bytes);
  });
  server.listen(0, '127.0.0.1', () => say((server.address() as { port: number }).port));
  process.on('SIGTERM', () => process.exit(0));
} else {
  // What most servers of this kind do: one query per request.
  const pool = new Pool({ connectionString: process.env['DATABASE_URL'] ?? '', max: 10 });
  const app = fastify();
  app.get('/api/classes', async () => {
    const { rows } = await pool.query<Record<string, unknown>>(
      `select c.id as "_id", c.name, c.img, c.instructor, u.email, c.price_cents / 100.0 as price, c.free as seat, c.status
       from class c join "user" u on u.id = c.instructor_id where c.status = 'approved' order by c.sold desc, c.id limit 100`,
    );
    return { result: rows, outQueryResult: rows };
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  say((app.server.address() as { port: number }).port);
  process.on('SIGTERM', () => process.exit(0));
}
