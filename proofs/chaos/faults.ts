// What fails, and when: a list made from the seed alone, and the code that carries it out, one
// fault after the other.
import { setTimeout as sleep } from 'node:timers/promises';
import { readPostmaster } from '../../server/embedded/postmaster.ts';
import type { Fault as ProviderFault } from '../../server/testing/provider.ts';
import { type Dice, dice } from './dice.ts';
import type { World } from './world.ts';

/**
 * `server` is the affected one; `alone`: while the other one serves; `turn` chooses among what
 * exists at that moment.
 */
type What =
  | { kind: 'kill'; server: number; alone: boolean }
  | { kind: 'stop' }
  | { kind: 'backend'; turn: number }
  | { kind: 'cut'; server: number; where: 'front' | 'base'; ms: number }
  | { kind: 'slow'; server: number; where: 'front' | 'base'; ms: number; lagMs: number }
  | { kind: 'provider'; fault: ProviderFault }
  | { kind: 'clock'; server: number; aheadMs: number };
export type Fault = What & { at: number };
type Kind = What['kind'];

/** Seconds between two faults of a kind, on average. */
export type Pace = Record<Kind, number>;
export const soakPace: Pace = {
  kill: 1.8,
  stop: 9,
  backend: 30,
  cut: 5,
  slow: 9,
  provider: 1.5,
  clock: 20,
};

const twoHours = 2 * 3_600_000;

export function schedule(seed: number, seconds: number, pace: Pace = soakPace): Fault[] {
  const chance = dice(seed);
  const kinds = Object.keys(pace) as Kind[];
  const faults = kinds.flatMap((kind) => {
    const own: Fault[] = [];
    for (let at = 0; ;) {
      at += pace[kind] * (0.5 + chance.roll());
      if (at >= seconds) return own;
      own.push({ ...makers[kind](chance, own.length), at });
    }
  });
  return faults.toSorted((one, other) => one.at - other.at);
}

const someWire = (chance: Dice) => ({
  server: chance.between(0, 1),
  where: chance.pick(['front', 'base'] as const),
});

const makers: Record<Kind, (chance: Dice, count: number) => What> = {
  // One time in five the other one may be down as well.
  kill: (chance, count) => ({ kind: 'kill', server: count % 2, alone: chance.chance(0.8) }),
  stop: () => ({ kind: 'stop' }),
  backend: (chance) => ({ kind: 'backend', turn: chance.roll() }),
  cut: (chance) => ({ kind: 'cut', ...someWire(chance), ms: chance.between(0, 1_200) }),
  slow: (chance) => ({
    kind: 'slow',
    ...someWire(chance),
    ms: chance.between(500, 2_500),
    lagMs: chance.between(5, 150),
  }),
  provider: (chance) => ({ kind: 'provider', fault: providerFault(chance) }),
  // Half of the jumps set a clock right again.
  clock: (chance) => ({
    kind: 'clock',
    server: chance.between(0, 1),
    aheadMs: chance.chance(0.5) ? 0 : chance.between(-twoHours, twoHours),
  }),
};

const intents = '/v1/payment_intents';
const called = [
  { method: 'POST', path: intents },
  { method: 'GET', path: `${intents}/*` },
  { method: 'POST', path: `${intents}/*/confirm` },
  { method: 'POST', path: `${intents}/*/cancel` },
  { method: 'POST', path: '/v1/refunds' },
];

const onCalls =
  'lose_answer lose_answer error_saved error_before rate_limit delay reset processing';
const onEvents = 'webhook_drop webhook_double webhook_reverse webhook_delay';
const effects = `${onCalls} ${onEvents}`.split(' ');

function providerFault(chance: Dice): ProviderFault {
  const times = chance.between(1, 3);
  const effect = chance.pick(effects);
  if (effect.startsWith('webhook_'))
    return { effect, times, count: chance.between(2, 4), ms: chance.between(300, 6_000) };
  if (effect === 'processing') {
    const outcome = chance.pick(['succeed', 'fail'] as const);
    return { effect, times: 1, ms: chance.between(500, 8_000), outcome };
  }
  return {
    effect,
    times,
    ...chance.pick(called),
    ms: chance.between(100, 3_000),
    work: chance.chance(0.7),
  };
}

export type Tally = Record<Kind, number>;
export const noFaults = (): Tally => ({
  kill: 0,
  stop: 0,
  backend: 0,
  cut: 0,
  slow: 0,
  provider: 0,
  clock: 0,
});

/**
 * Everything on the list, with the pauses of the list. A kill waits for a process that serves,
 * since killing a dead one proves nothing, and the following faults wait with it.
 */
export async function strike(
  world: World,
  faults: Fault[],
  tally: Tally,
  signal?: AbortSignal,
): Promise<void> {
  const mending: Promise<void>[] = [];
  let before = 0;
  for (const fault of faults) {
    await sleep((fault.at - before) * 1_000, undefined, signal ? { signal } : {}).catch(
      () => undefined,
    );
    if (signal?.aborted) break;
    before = fault.at;
    const mended = await carryOut(world, fault);
    if (mended) mending.push(mended);
    tally[fault.kind] += 1;
  }
  await Promise.all(mending);
}

/** Returns what ends the fault later. */
async function carryOut(world: World, fault: Fault): Promise<Promise<void> | null> {
  const server = 'server' in fault ? world.servers[fault.server] : undefined;
  switch (fault.kind) {
    case 'kill':
      if (fault.alone) await world.servers[1 - fault.server]?.ready();
      await server?.kill();
      await callEventsElsewhere(world, fault.server);
      break;
    case 'stop': {
      await databaseAnswers(world);
      const postmaster = readPostmaster(world.home);
      // What `pg_ctl stop -m immediate` sends. The embedded database notices it and starts again.
      if (postmaster) process.kill(postmaster.pid, 'SIGQUIT');
      break;
    }
    case 'backend':
      await killBackend(world, fault.turn);
      break;
    case 'cut':
    case 'slow': {
      const wire = server?.[fault.where];
      if (fault.kind === 'cut') wire?.cut();
      else wire?.slow(fault.lagMs);
      return sleep(fault.ms).then(() => wire?.mend());
    }
    case 'provider':
      await world.provider.fault(fault.fault);
      break;
    case 'clock':
      server?.setClock(fault.aheadMs);
      break;
  }
  return null;
}

/**
 * Where events go after one of the two died. Each server registers its own webhook at the start.
 */
async function callEventsElsewhere({ servers, pointTo }: World, dead: number): Promise<void> {
  const other = servers[1 - dead];
  if (other) await pointTo(other);
}

export async function databaseAnswers({ pool }: World): Promise<void> {
  for (;;) {
    try {
      await pool.query('select 1');
      return;
    } catch {
      await sleep(20);
    }
  }
}

/**
 * One of the sessions that serve the app. PostgreSQL then ends all others too, because shared
 * memory may be damaged, and recovers.
 */
async function killBackend(world: World, turn: number): Promise<void> {
  await databaseAnswers(world);
  const { rows } = await world.pool
    .query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name like 'rally%' order by pid`,
    )
    .catch(() => ({ rows: [] }));
  const chosen = rows[Math.floor(turn * rows.length)];
  if (!chosen) return;
  try {
    process.kill(chosen.pid, 'SIGKILL');
  } catch {
    // It has just exited.
  }
}

/**
 * Everything back to normal: connections whole, clocks right, the provider without faults, both
 * servers up.
 */
export async function mendAll(world: World): Promise<number> {
  const { data = [] } = (await world.provider.knob('GET', '/sandbox/faults')).body;
  await world.provider.heal();
  for (const server of world.servers) {
    for (const wire of [server.front, server.base]) wire.mend();
    server.setClock(0);
  }
  await databaseAnswers(world);
  await Promise.all(world.servers.map((server) => server.ready()));
  const [first] = world.servers;
  if (first) await world.pointTo(first);
  return data.reduce((sum, fault) => sum + ((fault as { hits?: number }).hits ?? 0), 0);
}
