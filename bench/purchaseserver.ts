// Rally with a card provider inside the process that answers at once: every intent is paid. Only
// for bench/purchase.ts.
import { randomUUID } from 'node:crypto';
import { createApp } from '../server/app.ts';
import { readConfig } from '../server/config.ts';
import { listenForChanges } from '../server/db/changes.ts';
import { connect } from '../server/db/connection.ts';
import { createJobs } from '../server/db/jobs.ts';
import { type Cards, createCards, type Intent } from '../server/outside/cards.ts';
import { createMail } from '../server/outside/mail.ts';
import { sandboxKeys } from '../server/outside/sandbox.ts';

const config = { ...readConfig(), port: 0 };
const url = config.databaseUrl ?? '';
const database = connect(url);
const mail = createMail({ ...config, smtpUrl: null, pool: database.pool });
const intents = new Map<string, Intent>();
const cards: Cards = {
  ...createCards({ keys: sandboxKeys(config.secret), sandboxOrigin: () => 'http://127.0.0.1:9' }),
  openIntent: async ({ amountCents, currency, metadata }) => {
    const id = `pi_${randomUUID().replaceAll('-', '')}`;
    const open: Intent = {
      id,
      status: 'open',
      said: 'requires_payment_method',
      amountCents,
      receivedCents: 0,
      refundedCents: 0,
      disputed: false,
      currency,
      clientSecret: `${id}_secret`,
      refused: false,
      metadata,
      created: new Date(),
      charged: null,
    };
    intents.set(id, { ...open, status: 'succeeded', receivedCents: amountCents });
    return open;
  },
  intent: async (id) => intents.get(id) ?? null,
};
const app = await createApp({
  config,
  database,
  changes: await listenForChanges(url),
  jobs: {
    // No work on a timer: the look back would ask the provider.
    ...(await createJobs({ url, timers: false })),
    // Mails are written and not sent: pgbench does not send them either.
    work: async () => {},
  },
  mail,
  cards,
  // A busy machine delays the event loop, which does not mean overload here.
  shedLoad: false,
});
const origin = await app.server.listen({ host: '127.0.0.1', port: 0 });
console.log(`purchases is open at ${origin}`);
process.on('SIGTERM', () => process.exit(0));
