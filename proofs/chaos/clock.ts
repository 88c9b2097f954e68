// Loaded into a server process before anything else (`--import`): shifts its clock by a given time,
// at the start and whenever it is told a new figure. Timers are not affected, as on a real machine.
const real = Date;
let aheadMs = Number(process.env['CLOCK_AHEAD_MS'] ?? 0);
const now = () => real.now() + aheadMs;

globalThis.Date = new Proxy(real, {
  construct: (target, given, made) =>
    Reflect.construct(target, given.length > 0 ? given : [now()], made) as Date,
  apply: () => new real(now()).toString(),
  get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
});

process.on('message', (told: { aheadMs: number }) => {
  aheadMs = told.aheadMs;
});
