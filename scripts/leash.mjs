// Loaded before the program that rally.mjs starts, which need know nothing of it: the program ends
// when its starter is gone, however it went, and what was compiled for it is kept for the next
// start, however it ends.

import { flushCompileCache } from 'node:module';

if (process.channel) {
  process.channel.unref();
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
}
setTimeout(() => flushCompileCache(), 5_000).unref();
