// The rush of a release day: 10,000 students ask two processes for 650 seats of three classes at
// once, and those who get seats pay. Every third student asks for a seat of each class in one
// payment, the others for one seat. What is answered 503 with Retry-After is sent again, as the page
// does. In the end every response is seats or "sold out", none lost; all 650 are sold. The target is
// the total time.
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { cardProvider } from '../../server/testing/provider.ts';
import { type Result, startDatabase, startRally, tokensOf, userOf } from './harness.ts';

const students = 10_000;
const seats = [217, 217, 216];
const all = seats.reduce((sum, some) => sum + some);

export async function crowd({ connections = 500 } = {}): Promise<Result[]> {
  const server = await startDatabase();
  const database = await server.database('crowd');
  const env = { DATABASE_URL: database.url, DATA_DIR: server.dataDir };
  const rallies = [await startRally(env), await startRally(env)];
  try {
    await database.query(`
      insert into "user" (name, email) select 'Student ' || n, 'student' || n || '@example.com' from generate_series(1, ${students}) n;
      insert into class (instructor_id, name, img, price_cents, capacity, status)
        select id, 'Sold out at once', '/x.webp', 1999, unnest(array[${seats.join()}]), 'approved' from "user" where email = 'student1@example.com';
      with student as (select id, row_number() over (order by id) as n from "user" where name like 'Student %'),
        wanted as (select id, row_number() over (order by id) as n from class where name = 'Sold out at once')
      insert into cart_item (student_id, participant_id, class_id, seen_price_cents)
        select student.id, student.id, wanted.id, 1999 from student join wanted
          on student.n % 3 = 0 or student.n / 3 % 3 = wanted.n - 1`);
    const tokens = await tokensOf(database, `name like 'Student %'`);
    const items = await database.query('select id, student_id, class_id from cart_item');
    const carts = Map.groupBy(items, (item) => String(item['student_id']));
    const asks = tokens.map((token) => askOf(token, carts.get(userOf(token)) ?? []));
    const doors = rallies.map(({ url }) => url);
    const { cards } = (await (await fetch(`${doors[0]}/api/settings`)).json()) as {
      cards: { publishableKey: string };
    };
    const started = performance.now();
    const halves = await Promise.all(
      doors.map((door, half) => {
        const mine = asks.filter((_, index) => index % doors.length === half);
        return rush(door, mine, cards.publishableKey, connections / doors.length);
      }),
    );
    const seconds = (performance.now() - started) / 1_000;
    const [counted] = await database.query(
      `select sum(sold)::int as sold, sum(held)::int as held from class where name = 'Sold out at once'`,
    );
    const wrong = halves.flatMap(({ problems }) => problems);
    if (wrong.length > 0)
      throw new Error(`${wrong.length} answers were neither seats nor "sold out": ${wrong[0]}`);
    if (counted?.['sold'] !== all || counted['held'] !== 0) {
      throw new Error(
        `${String(counted?.['sold'])} seats are sold and ${String(counted?.['held'])} held, not ${all} and 0`,
      );
    }
    const slowest = Math.max(...halves.map(({ p99 }) => p99));
    const again = halves.reduce((sum, half) => sum + half.again, 0);
    return [
      {
        what: `${students} students, a third of them for three classes, ${all} seats, two processes: seconds until all are answered and paid / 60`,
        ratio: seconds / 60,
        target: { atMost: 1 },
        detail: `${seconds.toFixed(1)} s, every answer 200 or 409, ${again} sent again after a 503, p99 ${slowest} ms with ${connections} asking at once, ${all} sold`,
      },
    ];
  } finally {
    await Promise.all(rallies.map((rally) => rally.stop()));
    await server.stop();
  }
}

interface Ask {
  token: string;
  path: string;
  body: string;
}

/** One seat as the specification's client asks for it, several as a basket. */
function askOf(token: string, cart: Record<string, unknown>[]): Ask {
  const [first] = cart;
  if (cart.length === 1)
    return {
      token,
      path: '/api/create-payment-intent',
      body: JSON.stringify({ price: 19.99, itemId: first?.['class_id'] }),
    };
  const items = cart.map((item) => item['id']);
  const totalCents = 1999 * items.length;
  return { token, path: '/api/checkout', body: JSON.stringify({ items, totalCents }) };
}

async function rush(door: string, asks: Ask[], publishableKey: string, connections: number) {
  const problems: string[] = [];
  const buying: Promise<void>[] = [];
  let again = 0;
  const provider = cardProvider(`${door}/sandbox`, {
    publishableKey,
    secretKey: '',
    webhookSecret: '',
  });
  const buy = async (clientSecret: string, token: string) => {
    const { body } = await provider.confirm(clientSecret);
    if (body.status !== 'succeeded') problems.push(`a card was refused: ${JSON.stringify(body)}`);
    const record = () =>
      fetch(`${door}/api/payments`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ transactionId: body.id }),
      });
    let recorded = await record();
    while (recorded.status === 503) {
      again++;
      await sleep(1_000 * Number(recorded.headers.get('retry-after')));
      recorded = await record();
    }
    if (!recorded.ok)
      problems.push(`a payment was answered ${recorded.status}: ${await recorded.text()}`);
  };
  let refused: Ask[] = [];
  const ask = (some: Ask[]) => {
    const next = some.values();
    return autocannon({
      url: door,
      method: 'POST',
      connections: Math.min(connections, some.length),
      amount: some.length,
      timeout: 60,
      headers: { 'content-type': 'application/json' },
      requests: [
        {
          setupRequest: (request, context) => {
            const asked = next.next().value as Ask;
            const { token, path, body } = asked;
            Object.assign(context, { asked });
            const headers = { ...request.headers, authorization: `Bearer ${token}` };
            return { ...request, path, body, headers };
          },
          onResponse: (status, body, context) => {
            const { asked } = context as { asked: Ask };
            if (status === 200) {
              const { clientSecret } = JSON.parse(body) as { clientSecret: string };
              buying.push(buy(clientSecret, asked.token));
            } else if (status === 503) refused.push(asked);
            else if (status !== 409) problems.push(`${status}: ${body}`);
          },
        },
      ],
    });
  };
  const first = await ask(asks);
  let { errors, timeouts } = first;
  while (refused.length > 0) {
    const some = refused;
    again += some.length;
    refused = [];
    await sleep(1_000);
    const result = await ask(some);
    errors += result.errors;
    timeouts += result.timeouts;
  }
  await Promise.all(buying);
  if (errors + timeouts > 0) problems.push(`${errors} errors, ${timeouts} time-outs`);
  return { problems, again, p99: first.latency.p99 };
}
