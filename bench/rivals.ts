// The servers that Rally is measured against, each in its plainest form. `node bench/rivals.ts
// bare|query`, configured by the environment.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import fastify from 'fastify';
import { Pool } from 'pg';

const kind = process.argv[2];
const say = (port: number) => console.log(`rival ${kind} is open at http://127.0.0.1:${port}`);

if (kind === 'bare') {
  // The minimum of Node: the same bytes and headers, no routing, no decisions.
  const { body, headers } = JSON.parse(readFileSync(process.env['BENCH_ANSWER'] ?? '', 'utf8')) as {
    body: string;
    headers: Record<string, string>;
  };
  const bytes = Buffer.from(body, 'base64');
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
  const student = [process.env['BENCH_STUDENT'] ?? ''];
  const rowsOf = async (text: string, values: unknown[]) => (await pool.query(text, values)).rows;
  app.get('/api/bookeds', () =>
    rowsOf(
      `select item.id as "_id", item.class_id as "itemId", class.name, class.img, class.price_cents / 100.0 as price, u.email,
         item.seen_price_cents / 100.0 as "seenPrice", class.free as seat, class.status as state
       from cart_item item join class on class.id = item.class_id join "user" u on u.id = item.student_id
       where item.student_id = $1 order by item.created_at, item.id`,
      student,
    ),
  );
  app.get('/api/payments', () =>
    rowsOf(
      `select id as "_id", email, customer, (select class_id from payment_line where payment_id = payment.id and place = 1) as "itemId", intent_id as "transactionId", amount_cents / 100.0 as price,
         date, status, item_name as "itemName"
       from payment where student_id = $1 order by date desc, id desc limit 100`,
      student,
    ),
  );
  app.get('/api/enrolments', () =>
    rowsOf(
      `select e.id as "_id", e.class_id as "itemId", e.payment_id as "paymentId", class.name, payment.email,
         payment.amount_cents / 100.0 as price, e.created_at as date, class.img, class.schedule, class.place
       from enrolment e join class on class.id = e.class_id join payment on payment.id = e.payment_id
       where e.student_id = $1 and e.state = 'active' order by e.created_at desc, e.id limit 100`,
      student,
    ),
  );
  app.get<{ Querystring: { search?: string; maxPrice?: string } }>(
    '/api/classes',
    async ({ query }) => {
      if (query.search !== undefined) {
        const result = await rowsOf(
          `select c.id as "_id", c.name, c.img, u.name as instructor, c.instructor_id as "instructorId", u.email, c.price_cents / 100.0 as price,
           c.free as seat, c.status, c.sport, c.ages, c.schedule, count(*) over ()::int as total
         from class c join "user" u on u.id = c.instructor_id
         where c.shelf = 'approved' and c.words @@ to_tsquery('simple', $1) and c.price_cents <= $2
         order by c.sold desc, c.id limit 100`,
          [`${query.search}:*`, Math.round(Number(query.maxPrice) * 100)],
        );
        return { result, outQueryResult: result };
      }
      const { rows } = await pool.query<Record<string, unknown>>(
        `select c.id as "_id", c.name, c.img, u.name as instructor, u.email, c.price_cents / 100.0 as price, c.free as seat, c.status
       from class c join "user" u on u.id = c.instructor_id where c.shelf = 'approved' order by c.sold desc, c.id limit 100`,
      );
      return { result: rows, outQueryResult: rows };
    },
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  say((app.server.address() as { port: number }).port);
  process.on('SIGTERM', () => process.exit(0));
}
