// Loaded before the program that rally.mjs starts: when the starter is gone, however it went, the program ends too.
// NOT for: how it ends; that is the program's own answer to SIGTERM.

if (process.channel) {
  process.channel.unref();
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
}
