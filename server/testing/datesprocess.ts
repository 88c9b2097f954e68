// One change of the dates of a class in a process that kills itself before its nth statement:
// node server/testing/datesprocess.ts JSON (proofs/dates.test.ts). It ends with 0 when the change
// has fewer statements.
import type { Parsed } from '../../contract/call.ts';
import type { setDates } from '../../contract/meetings.ts';
import { connect } from '../db/connection.ts';
import { createFrame } from '../db/write.ts';
import { createJobs } from '../db/jobs.ts';
import { changeDates } from '../features/classes/meetings.ts';
import type { Caller } from '../http/on.ts';
import { patient } from './patient.ts';

export interface Change {
  url: string;
  step: number;
  who: Caller;
  input: Parsed<typeof setDates>;
}

const { url, step, who, input } = JSON.parse(process.argv[2] ?? '') as Change;
const database = connect(url, patient);
const jobs = await createJobs({ url, ...patient, timers: false });
let count = 0;
const transaction: Parameters<typeof createFrame>[0] = (work) =>
  database.system([], (db) =>
    work(
      db.withPlugin({
        transformQuery: ({ node }) => {
          if (++count === step) process.kill(process.pid, 'SIGKILL');
          return node;
        },
        transformResult: ({ result }) => Promise.resolve(result),
      }),
    ),
  );
await changeDates({ ...database, ...createFrame(transaction), jobs }, who, input);
process.exit(0);
