// What a signed-in student reads (cart, payments, enrolments) and a search of the catalogue that is
// not in memory, each against Fastify with one query per request and no access check.
import {
  alternate,
  figures,
  type Load,
  perCpuSecond,
  type Result,
  startDatabase,
  startProcess,
  startRally,
  throughput,
  tokenOf,
} from './harness.ts';

const email = 'student@rally.test';
const clients = { connections: 10 };

export async function signedin({ seconds = 4, rounds = 6 } = {}): Promise<Result[]> {
  const server = await startDatabase();
  const database = await server.database('signedin');
  const env = { DATABASE_URL: database.url, DATA_DIR: server.dataDir };
  const rally = await startRally(env);
  await database.query(bought);
  const rows = await database.query(`select id from "user" where email = '${email}'`);
  const student = String(rows[0]?.['id']);
  const rival = await startProcess(
    'bench/rivals.ts',
    { DATABASE_URL: database.url, BENCH_STUDENT: student },
    ['query'],
  );
  const results: Result[] = [];
  const compare = async (
    what: string,
    atLeast: number,
    paths: [string, string],
    ours: Load,
    theirs: Load = clients,
  ) => {
    const [one, other] = [
      (time: number) => throughput(rally.url + paths[0], time, ours),
      (time: number) => throughput(rival.url + paths[1], time, theirs),
    ];
    await one(2);
    await other(2);
    const run = await alternate(
      rounds,
      () => one(seconds),
      () => other(seconds),
    );
    const thrift = await alternate(
      rounds,
      () => perCpuSecond([rally.pid, server.pid], rally.url + paths[0], seconds, ours),
      () => perCpuSecond([rival.pid, server.pid], rival.url + paths[1], seconds, theirs),
    );
    results.push({
      what: `${what} / Fastify with one query per request, 10 clients`,
      ratio: run.ratio,
      target: { atLeast },
      detail: figures(run),
    });
    results.push({
      what: 'the same, by CPU time of the server and of PostgreSQL',
      ratio: thrift.ratio,
      target: { atLeast },
      detail: figures(thrift, 'requests for a second of CPU time'),
    });
  };
  try {
    const headers = { authorization: `Bearer ${await tokenOf(database, email)}` };
    for (const list of ['bookeds', 'payments', 'enrolments']) {
      const query = list === 'enrolments' ? '' : `?email=${email}`;
      await checkLengths(rally.url + `/api/${list}${query}`, rival.url + `/api/${list}`, headers);
      await compare(`signed-in read of ${list}`, 0.8, [`/api/${list}${query}`, `/api/${list}`], {
        ...clients,
        headers,
      });
    }
    await compare('search', 0.5, ['', ''], varied(), varied());
    return results;
  } finally {
    await Promise.all([rally.stop(), rival.stop()]);
    await server.stop();
  }
}

/** Five of each for the student. */
export const bought = `
  with student as (select id, name, email from "user" where email = '${email}'),
  offered as (
    select id, name, price_cents, row_number() over (order by id) as n from class where shelf = 'approved'),
  emptied as (delete from cart_item where student_id = (select id from student)),
  baskets as (
    insert into basket (id, student_id, total_cents, state, intent_id)
    select offered.id, student.id, price_cents, 'paid', 'pi_bench' || n from student, offered where n <= 5
    returning id, student_id, total_cents, intent_id),
  paid as (
    insert into hold (basket_id, student_id, participant_id, class_id, list_cents, slot, state)
    select id, student_id, student_id, id, total_cents, 1, 'consumed' from baskets
    returning id, class_id, list_cents),
  recorded as (
    insert into payment (basket_id, intent_id, student_id, email, customer, item_name, amount_cents, currency, status)
    select baskets.id, intent_id, student.id, email, student.name, offered.name, total_cents, 'usd', 'succeeded'
    from baskets join offered on offered.id = baskets.id, student
    returning id, student_id, basket_id as class_id),
  lines as (
    insert into payment_line (payment_id, hold_id, student_id, participant_id, class_id, item_name, participant, list_cents, worth_cents, outcome)
    select recorded.id, paid.id, student_id, student_id, class_id, '', '', list_cents, list_cents, 'enrolled'
    from recorded join paid using (class_id) returning *),
  enrolled as (
    insert into enrolment (payment_id, line_id, student_id, participant_id, class_id)
    select payment_id, id, student_id, student_id, class_id from lines on conflict do nothing)
  insert into cart_item (student_id, participant_id, class_id, seen_price_cents)
  select student.id, student.id, offered.id, price_cents from student, offered where n between 6 and 10 on conflict do nothing`;

/** Both answer with a list of the same length: otherwise two different things are compared. */
async function checkLengths(ours: string, theirs: string, headers: Record<string, string>) {
  const [one, other] = await Promise.all(
    [fetch(ours, { headers }), fetch(theirs)].map(
      async (answer) => (await (await answer).json()) as unknown[],
    ),
  );
  if (!one || one.length === 0 || one.length !== other?.length)
    throw new Error(`${ours} has ${one?.length} rows and its rival ${other?.length}`);
}

/** Each request is another one, so none is answered from memory. */
function varied(): Load {
  let turn = 0;
  return {
    ...clients,
    requests: [
      {
        setupRequest: (request) => {
          turn += 1;
          const word = ['soccer', 'tennis', 'swim', 'camp', 'b'][turn % 5];
          return {
            ...request,
            path: `/api/classes?status=approved&search=${word}&maxPrice=${(100 + (turn % 50_000) / 100).toFixed(2)}`,
          };
        },
      },
    ],
  };
}
