// The rush of a release day: 10,000 students ask two processes for 650 seats at once, and those who
// get a seat pay. Every response must be a seat or "sold out", none late, none lost; all 650 are
// sold. The target is the total time.
import autocannon from 'autocannon';
import { cardProvider } from '../server/testing/provider.ts';
import { type Result, startDatabase, startRally, tokensOf } from './harness.ts';

const students = 10_000;
const seats = 650;
const classId = 'bbbbbbbb-0000-4000-8000-000000000001';

export async function crowd({ connections = 500 } = {}): Promise<Result[]> {
  const server = await startDatabase();
  const database = await server.database('crowd');
  const env = { DATABASE_URL: database.url, DATA_DIR: server.dataDir };
  const rallies = [await startRally(env), await startRally(env)];
  try {
    await database.query(`
      insert into "user" (name, email) select 'Student ' || n, 'student' || n || '@example.com' from generate_series(1, ${students}) n;
      insert into class (id, instructor_id, instructor, name, img, price_cents, capacity, status)
        select '${classId}', id, name, 'Sold out at once', '/x.webp', 1999, ${seats}, 'approved' from "user" where email = 'student1@example.com';
      insert into cart_item (student_id, participant_id, class_id, seen_price_cents) select id, id, '${classId}', 1999 from "user" where email like 'student%@example.com'`);
    const tokens = await tokensOf(
      database,
      `email like 'student_%@example.com' and name like 'Student %'`,
    );
    const doors = rallies.map(({ url }) => url);
    const { cards } = (await (await fetch(`${doors[0]}/api/settings`)).json()) as {
      cards: { publishableKey: string };
    };
    const started = performance.now();
    const halves = await Promise.all(
      doors.map((door, half) => {
        const mine = tokens.filter((_, index) => index % doors.length === half);
        return rush(door, mine, cards.publishableKey, connections / doors.length);
      }),
    );
    const seconds = (performance.now() - started) / 1_000;
    const [counted] = await database.query(`select sold, held from class where id = '${classId}'`);
    const wrong = halves.flatMap(({ problems }) => problems);
    if (wrong.length > 0)
      throw new Error(`${wrong.length} answers were neither a seat nor "sold out": ${wrong[0]}`);
    if (counted?.['sold'] !== seats || counted['held'] !== 0) {
      throw new Error(
        `${String(counted?.['sold'])} seats are sold and ${String(counted?.['held'])} held, not ${seats} and 0`,
      );
    }
    const slowest = Math.max(...halves.map(({ p99 }) => p99));
    return [
      {
        what: `${students} students, ${seats} seats, two processes: seconds until all are answered and paid / 60`,
        ratio: seconds / 60,
        target: { atMost: 1 },
        detail: `${seconds.toFixed(1)} s, every answer 200 or 409, p99 ${slowest} ms with ${connections} asking at once, ${seats} sold`,
      },
    ];
  } finally {
    await Promise.all(rallies.map((rally) => rally.stop()));
    await server.stop();
  }
}

async function rush(door: string, tokens: string[], publishableKey: string, connections: number) {
  const problems: string[] = [];
  const buying: Promise<void>[] = [];
  let next = 0;
  const provider = cardProvider(`${door}/sandbox`, {
    publishableKey,
    secretKey: '',
    webhookSecret: '',
  });
  const buy = async (clientSecret: string, token: string) => {
    const { body } = await provider.confirm(clientSecret);
    if (body.status !== 'succeeded') problems.push(`a card was refused: ${JSON.stringify(body)}`);
    const recorded = await fetch(`${door}/api/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ transactionId: body.id }),
    });
    if (!recorded.ok)
      problems.push(`a payment was answered ${recorded.status}: ${await recorded.text()}`);
  };
  const result = await autocannon({
    url: `${door}/api/create-payment-intent`,
    method: 'POST',
    connections,
    amount: tokens.length,
    timeout: 60,
    headers: { 'content-type': 'application/json' },
    requests: [
      {
        body: JSON.stringify({ price: 19.99, itemId: classId }),
        setupRequest: (request, context) => {
          const token = tokens[next++] ?? '';
          Object.assign(context, { token });
          return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
        },
        onResponse: (status, body, context) => {
          if (status === 200) {
            const { clientSecret } = JSON.parse(body) as { clientSecret: string };
            buying.push(buy(clientSecret, (context as { token: string }).token));
          } else if (status !== 409) problems.push(`${status}: ${body}`);
        },
      },
    ],
  });
  await Promise.all(buying);
  if (result.errors + result.timeouts > 0)
    problems.push(`${result.errors} errors, ${result.timeouts} time-outs`);
  return { problems, p99: result.latency.p99 };
}
