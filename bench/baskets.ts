// Several seats in one payment through HTTP against one seat, with a card provider that answers at
// once and 10 clients: asking for three seats, and recording the payment of twelve.
import { limits } from '../contract/limits.ts';
import {
  alternate,
  emptied,
  environment,
  type Result,
  startDatabase,
  startProcess,
  tokensOf,
  userOf,
} from './harness.ts';
import { fill, idOf } from './pgbench.ts';

const classes = 30;
const families = 300;
const clients = 10;

export async function baskets({ rounds = 5 } = {}): Promise<Result[]> {
  const server = await startDatabase();
  const database = await server.database('baskets');
  const { url, query } = database;
  await query(fill(classes + families, classes));
  const rally = await startProcess('bench/purchaseserver.ts', {
    ...environment,
    DATABASE_URL: url,
  });
  const tokens = await tokensOf(database, `role = 'student'`);

  const post = async <Answer>(path: string, token: string, body: object): Promise<Answer> => {
    const response = await fetch(`${rally.url}/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  };

  /** As many items in each cart, of classes next to each other. The ids by student. */
  const filledCarts = async (lines: number) => {
    await query(`${emptied('cart_item', 'hold', 'payment', 'enrolment')}; delete from pgboss.job;
      update class set held = 0, sold = 0`);
    const rows = await query(`
      with student as (select id, right(id::text, 12)::int as n from "user" where role = 'student')
      insert into cart_item (student_id, participant_id, class_id, seen_price_cents)
      select id, id, ${idOf('b', `1 + (n + line) % ${classes}`)}, 1000
      from student, generate_series(1, ${lines}) line
      returning id, student_id`);
    return Map.groupBy(rows, (row) => String(row['student_id']));
  };

  /** The mean seconds that a client waits for a basket to be opened, and for it to be recorded. */
  const seconds = async (lines: number) => {
    const carts = await filledCarts(lines);
    const opened = new Map<string, string>();
    const asked = await timed(tokens, async (token) => {
      const items = carts.get(userOf(token))?.map((row) => String(row['id']));
      const { clientSecret } = await post<{ clientSecret: string }>('/checkout', token, {
        items,
        total: 10 * lines,
      });
      opened.set(token, clientSecret.replace(/_secret$/, ''));
    });
    const settled = await timed(tokens, (token) =>
      post('/payments', token, { transactionId: opened.get(token) }),
    );
    const [sold] = await query('select sum(sold)::int as seats from class');
    if (sold?.['seats'] !== families * lines)
      throw new Error(`${String(sold?.['seats'])} seats are sold, not ${families * lines}`);
    return { asked, settled };
  };

  try {
    const results: Result[] = [];
    for (const [what, lines, phase] of [
      ['three seats in one ask / one', 3, 'asked'],
      [`recording ${limits.basketLines} lines / one`, limits.basketLines, 'settled'],
    ] as const) {
      await seconds(lines);
      const run = await alternate(
        rounds,
        async () => (await seconds(lines))[phase],
        async () => (await seconds(1))[phase],
      );
      results.push({
        what: `${what}, ${clients} clients, time`,
        ratio: run.ratio,
        target: { atMost: 3 },
        detail: `${(run.one * 1_000).toFixed(1)} against ${(run.other * 1_000).toFixed(1)} ms`,
      });
    }
    return results;
  } finally {
    await rally.stop();
    await server.stop();
  }
}

/** The mean seconds of a task, with a number of them at work at once. */
async function timed<Task>(tasks: Task[], work: (task: Task) => Promise<unknown>) {
  const queue = tasks.values();
  const started = performance.now();
  const client = async () => {
    for (const task of queue) await work(task);
  };
  await Promise.all(Array.from({ length: clients }, client));
  return ((performance.now() - started) / 1_000 / tasks.length) * clients;
}
