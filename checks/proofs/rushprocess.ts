// A server process of the rush: node checks/proofs/rushprocess.ts --database URL --sandbox ORIGIN
// --secret … --keys … [--unguarded]. `--unguarded` is its control: the same API with a claim that
// reads, waits and then writes.
import { parseArgs } from 'node:util';
import fastify from 'fastify';
import { createApp } from '../../server/app/app.ts';
import { readConfig } from '../../server/platform/config.ts';
import { listenForChanges } from '../../server/platform/db/changes.ts';
import { connect } from '../../server/platform/db/connection.ts';
import { createJobs } from '../../server/platform/db/jobs.ts';
import { createTokens } from '../../server/signin/tokens.ts';
import { type CardKeys, createCards } from '../../server/platform/cards.ts';
import { createMail } from '../../server/mail/mail.ts';
import { patient } from '../../server/testing/patient.ts';

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: '' },
    sandbox: { type: 'string', default: '' },
    secret: { type: 'string', default: '' },
    keys: { type: 'string', default: '{}' },
    unguarded: { type: 'boolean', default: false },
  },
});
const url = values.database;
const config = {
  ...readConfig({
    NODE_ENV: 'test',
    AUTH_SECRET: values.secret,
    CARE_KEYS: '1:dGhpcyBpcyBhIHRlc3Qga2V5IG9mIDMyIGJ5dGVzLi4=',
    PORT: '3000',
    LOG_LEVEL: 'error',
  }),
  rateLimit: false,
};
const database = connect(url, patient);

const origin = values.unguarded ? await unguarded() : await guarded();
process.stdout.write(`${origin}\n`);
process.stdin.on('end', () => process.exit(0)).resume();

async function guarded(): Promise<string> {
  const changes = await listenForChanges(url, patient);
  const jobs = await createJobs({ url, ...patient });
  const mail = createMail({ ...config, smtpUrl: null, pool: database.pool });
  const cards = createCards({
    keys: JSON.parse(values.keys) as CardKeys,
    sandboxOrigin: () => values.sandbox,
  });
  const app = await createApp({ config, database, changes, jobs, mail, cards });
  return app.server.listen({ host: '127.0.0.1', port: 0 });
}

async function unguarded(): Promise<string> {
  const tokens = createTokens(config);
  const app = fastify();
  app.post<{ Body: { itemId: string } }>(
    '/api/create-payment-intent',
    async ({ body, headers }, reply) => {
      const who = await tokens.verify(headers.authorization?.slice('Bearer '.length) ?? '');
      const read = await database.pool.query<{ free: number }>(
        'select free from class where id = $1',
        [body.itemId],
      );
      if ((read.rows[0]?.free ?? 0) < 1) return reply.code(409).send({ code: 'SOLD_OUT' });
      await database.pool.query(
        'insert into hold (student_id, participant_id, class_id, list_cents, slot) values ($1, $1, $2, 1999, 1)',
        [who?.userId, body.itemId],
      );
      await database.pool.query('update class set held = held + 1 where id = $1', [body.itemId]);
      return { holdId: 'held' };
    },
  );
  return app.listen({ host: '127.0.0.1', port: 0 });
}
