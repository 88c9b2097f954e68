// A process that only sends mails, for a test that kills it (mails/send.test.ts):
// node server/testing/mailprocess.ts JSON
import { connect } from '../platform/db/connection.ts';
import { createJobs } from '../platform/db/jobs.ts';
import { sendingMail } from '../mail/send.ts';
import { markBounced } from '../people/users.ts';
import { createMail } from '../mail/mail.ts';
import { testMails } from './jobs.ts';
import { patient } from './patient.ts';

export interface Mailer {
  url: string;
  smtpUrl: string;
  from: string;
  publicUrl: string;
}

const { url, from: mailFrom, ...sender } = JSON.parse(process.argv[2] ?? '') as Mailer;
const { db, pool } = connect(url, patient);
const jobs = await createJobs({ url, ...patient, timers: false });
const mail = createMail({ ...sender, mailFrom, contactEmail: null, pool });
const config = { brand: 'Rally', publicUrl: sender.publicUrl, secret: '' };
await sendingMail({ db, jobs, mail, config, kinds: testMails, markBounced });
