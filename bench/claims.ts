// Claiming seats through HTTP against pgbench, which does the minimum (one conditional update and
// one insert in a transaction) with 10 clients: on one hot class, and spread over 30. Every
// response is durable before it is sent, on both sides.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import autocannon from 'autocannon';
import { alternate, type Result, startDatabase, startProcess } from './harness.ts';

const students = 100_000;
const claims = 6_000;
const uuid = (kind: 'a' | 'b', n: number) =>
  `${kind.repeat(8)}-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** Debian's path, or the PATH. */
async function findPgbench(): Promise<string | null> {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? await readdir(debian) : [];
  const found = versions
    .map((version) => join(debian, version, 'bin/pgbench'))
    .find((path) => existsSync(path));
  if (found) return found;
  return promisify(execFile)('pgbench', ['--version']).then(
    () => 'pgbench',
    () => null,
  );
}

const script = (classes: number) => `
\\set student random(1, ${students})
\\set class random(1, ${classes})
begin;
update class set held = held + 1 where id = ('bbbbbbbb-0000-4000-8000-' || lpad(:class::text, 12, '0'))::uuid and status = 'approved' and held + sold < capacity;
insert into hold (student_id, class_id, amount_cents, slot) values (('aaaaaaaa-0000-4000-8000-' || lpad(:student::text, 12, '0'))::uuid,
  ('bbbbbbbb-0000-4000-8000-' || lpad(:class::text, 12, '0'))::uuid, 1000, 1) on conflict do nothing;
commit;
`;

export async function seatClaims({ rounds = 5 } = {}): Promise<Result[]> {
  const pgbench = await findPgbench();
  if (!pgbench) {
    const detail = 'not measured: pgbench is not on this machine (Debian: postgresql-contrib)';
    return [
      {
        what: 'seat claim through HTTP / pgbench',
        ratio: Number.NaN,
        target: { atLeast: 1 },
        detail,
      },
    ];
  }
  const server = await startDatabase();
  const { url, query } = await server.database('claims');
  await query(`insert into "user" (id, name, email) select ('aaaaaaaa-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'S', 's' || n || '@example.com'
    from generate_series(1, ${students}) n`);
  await query(`insert into class (id, instructor_id, instructor, name, img, price_cents, capacity, status)
    select ('bbbbbbbb-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, '${uuid('a', 1)}', 'S', 'C', '/x', 1000, 10000, 'approved'
    from generate_series(1, 30) n`);
  const claimer = await startProcess('bench/claimserver.ts', { DATABASE_URL: url });
  const reset = () => query('truncate hold cascade; update class set held = 0');

  const throughHttp = async (classes: number, connections: number) => {
    await reset();
    let student = 0;
    const started = performance.now();
    const result = await autocannon({
      url: `${claimer.url}/claim`,
      method: 'POST',
      connections,
      amount: claims,
      headers: { 'content-type': 'application/json' },
      requests: [
        {
          setupRequest: (request) => {
            student++;
            const body = JSON.stringify({
              studentId: uuid('a', student),
              classId: uuid('b', 1 + (student % classes)),
            });
            return Object.assign(request, { body });
          },
        },
      ],
    });
    if (result.non2xx + result.errors > 0)
      throw new Error(`${result.non2xx + result.errors} claims were not granted`);
    return claims / ((performance.now() - started) / 1000);
  };

  const byPgbench = async (classes: number) => {
    await reset();
    const file = join(server.dataDir, `claim-${classes}.sql`);
    await writeFile(file, script(classes));
    const address = new URL(url);
    const host = address.searchParams.get('host') ?? address.hostname;
    const args = [
      '-n',
      '-M',
      'prepared',
      '-c',
      '10',
      '-j',
      '2',
      '-t',
      String(claims / 10),
      '-f',
      file,
      '-h',
      host,
      '-U',
      address.username,
      'claims',
    ];
    const port = address.port ? ['-p', address.port] : [];
    const { stdout } = await promisify(execFile)(pgbench, [...port, ...args]);
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  };

  try {
    const results: Result[] = [];
    for (const [name, classes, connections, atLeast] of [
      ['one hot class, 10 clients each', 1, 10, 1],
      ['one hot class, 100 clients against 10', 1, 100, 1],
      ['30 classes, 10 clients each', 30, 10, 0.6],
      ['30 classes, 100 clients against 10', 30, 100, 0.6],
    ] as const) {
      await throughHttp(classes, connections);
      const { ratio, one, other } = await alternate(
        rounds,
        () => throughHttp(classes, connections),
        () => byPgbench(classes),
      );
      const detail = `${Math.round(one)} against ${Math.round(other)} claims/s`;
      results.push({
        what: `seat claim through HTTP / pgbench, ${name}`,
        ratio,
        target: { atLeast },
        detail,
      });
    }
    return results;
  } finally {
    await claimer.stop();
    await server.stop();
  }
}
