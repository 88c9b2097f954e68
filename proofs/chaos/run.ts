// npm run proofs -- chaos [--times MINUTES] [--seed N]: buys, sells and changes while servers and
// the database are killed, connections cut, clocks moved and the card provider fails. Then it waits
// until everything is right, and until everything has finished, and prints what was lost, which
// must be nothing.
// This file takes --minutes and two more options. `--plant` deletes one acknowledged row before the
// check: the control, which must fail. `--keep` keeps the files and the servers' logs. Ctrl-C ends
// the faults, and the run so far is judged.
import { parseArgs } from 'node:util';
import { letIn, warmUp } from './bots.ts';
import { mendAll, noFaults, schedule, strike } from './faults.ts';
import { converge, isClean } from './verdict.ts';
import { openWorld } from './world.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '20' },
    plant: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const minutes = Number(values.minutes);
if (!Number.isInteger(seed) || !(minutes > 0))
  throw new Error('--seed is a whole number, --minutes more than nothing');

const world = await openWorld(warmUp);
if (values.keep) console.log(`Everything is kept in ${world.home}`);
try {
  const { journal, stop } = await letIn(world, seed);
  const tally = noFaults();
  const telling = setInterval(
    () =>
      console.log(
        `… ${tally.kill} kills, ${tally.stop} database stops, ${journal.acknowledged()} writes acknowledged`,
      ),
    60_000,
  );
  const enough = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => enough.abort());
  // On a busy machine a fault takes longer than the schedule says; the total time is kept.
  const over = AbortSignal.any([enough.signal, AbortSignal.timeout(minutes * 60_000)]);
  await strike(world, schedule(seed, minutes * 60), tally, over);
  const since = Date.now();
  clearInterval(telling);
  const providerFaults = await mendAll(world);
  await stop();
  if (values.plant)
    await world.pool.query('delete from cart_item where id = $1', [journal.anItem()]);
  const { verdict, seconds, secondsToEnd } = await converge(world, journal, { since });
  const table = {
    seed,
    kills: tally.kill,
    'database stops': tally.stop,
    'backends killed': tally.backend,
    'wires cut': tally.cut,
    'wires slowed': tally.slow,
    'provider faults': providerFaults,
    'clock jumps': tally.clock,
    'acknowledged writes': journal.acknowledged(),
    'began anew': journal.anew.times,
    'told it is paid': journal.anew.paidAlready,
    lost: verdict.lost.length,
    oversold: verdict.oversold.length,
    'double charged': verdict.doubleCharged.length,
    unsettled: verdict.unsettled.length,
    'freed early': verdict.freedEarly.length,
    'answered 500': verdict.astray.length,
    'seconds to converge': seconds,
    'seconds to the end': secondsToEnd ?? 'never',
  };
  for (const [name, figure] of Object.entries(table))
    console.log(`${name.padEnd(20)}${String(figure).padStart(8)}`);
  for (const lines of Object.values(verdict))
    for (const line of lines.slice(0, 20)) console.log(line);
  process.exitCode = isClean(verdict) ? 0 : 1;
} finally {
  await world.close({ keepFiles: values.keep });
}
