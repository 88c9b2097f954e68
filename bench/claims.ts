// Claiming seats through HTTP against pgbench, which does the minimum (one conditional update and
// one insert in a transaction) with 10 clients: on one hot class. Every response is durable before it
// is sent, on both sides.
import autocannon from 'autocannon';
import {
  alternate,
  emptied,
  figures,
  type Result,
  startDatabase,
  startProcess,
} from './harness.ts';
import { fill, findPgbench, pgbench, uuid, uuidOf, withoutPgbench } from './pgbench.ts';

const students = 100_000;
const claims = 6_000;

export const claimScript = (classes: number, students: number) => `
\\set student random(1, ${students})
\\set class random(1, ${classes})
begin;
update class set held = held + 1 where id = ${uuidOf('b', 'class')} and status = 'approved' and held + sold < capacity;
insert into hold (student_id, participant_id, class_id, list_cents, slot) values (${uuidOf('a', 'student')}, ${uuidOf('a', 'student')}, ${uuidOf('b', 'class')}, 1000, 1) on conflict do nothing;
commit;
`;

export async function seatClaims({ rounds = 5 } = {}): Promise<Result[]> {
  const program = await findPgbench();
  if (!program) return [withoutPgbench('seat claim through HTTP / pgbench', { atLeast: 1 })];
  const server = await startDatabase();
  const { url, query } = await server.database('claims');
  await query(fill(students, 1));
  const claimer = await startProcess('bench/claimserver.ts', { DATABASE_URL: url });
  const reset = () => query(`${emptied('hold')}; update class set held = 0`);

  const throughHttp = async (connections: number) => {
    await reset();
    let student = 0;
    const started = performance.now();
    // autocannon itself ends at the next full second.
    let last = started;
    const options = {
      url: `${claimer.url}/claim`,
      method: 'POST' as const,
      connections,
      amount: claims,
      headers: { 'content-type': 'application/json' },
      requests: [
        {
          setupRequest: (request: autocannon.Request) => {
            student++;
            const body = JSON.stringify({
              studentId: uuid('a', student),
              classId: uuid('b', 1),
            });
            return Object.assign(request, { body });
          },
        },
      ],
    };
    const result = await new Promise<autocannon.Result>((done, failed) => {
      const run = autocannon(options, (error: Error | null, result) =>
        error ? failed(error) : done(result),
      );
      run.on('response', () => (last = performance.now()));
    });
    if (result.non2xx + result.errors > 0)
      throw new Error(`${result.non2xx + result.errors} claims were not granted`);
    return claims / ((last - started) / 1000);
  };

  const byPgbench = async () => {
    await reset();
    const how = ['-c', '10', '-t', String(claims / 10)];
    return pgbench(program, { url, folder: server.dataDir, script: claimScript(1, students) }, how);
  };

  try {
    const results: Result[] = [];
    for (const [name, connections] of [
      ['one hot class, 10 clients each', 10],
      ['one hot class, 100 clients against 10', 100],
    ] as const) {
      await throughHttp(connections);
      const run = await alternate(rounds, () => throughHttp(connections), byPgbench);
      results.push({
        what: `seat claim through HTTP / pgbench, ${name}`,
        ratio: run.ratio,
        target: { atLeast: 1 },
        detail: figures(run, 'claims/s'),
      });
    }
    return results;
  } finally {
    await claimer.stop();
    await server.stop();
  }
}
