// Whether the response time tells which addresses have an account: sign-in, sign-up and reset, with
// a known and an unknown address in turn. Medians are compared. The bodies are compared in
// server/features/identity/routes.test.ts and routes.signup.test.ts.
import { median, type Result, startDatabase, startRally } from './harness.ts';

const rounds = 120;
const password = 'Bench#2026';
const image = 'https://example.com/a.png';

export async function doors(): Promise<Result[]> {
  const server = await startDatabase();
  const { url } = await server.database('doors');
  const rally = await startRally({ DATABASE_URL: url });
  try {
    const knock = async (door: string, body: object) => {
      const began = performance.now();
      const answer = await fetch(`${rally.url}/api/auth/${door}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      await answer.arrayBuffer();
      return performance.now() - began;
    };
    const known = 'known@example.com';
    await knock('sign-up/email', { name: 'Known', image, email: known, password });

    const kinds: [what: string, knock: (email: string) => Promise<number>][] = [
      ['sign-in', (email) => knock('sign-in/email', { email, password: 'Wrong#2026' })],
      ['reset', (email) => knock('request-password-reset', { email })],
      ['sign-up', (email) => knock('sign-up/email', { name: 'Someone', image, email, password })],
    ];
    const results: Result[] = [];
    for (const [what, ask] of kinds) {
      const times = { known: [] as number[], unknown: [] as number[] };
      for (let round = 0; round < rounds; round++) {
        const askKnown = async () => times.known.push(await ask(known));
        const askUnknown = async () => times.unknown.push(await ask(`nobody-${round}@example.com`));
        // Each comes as often after one of its own as after the other: the mail of a reset is made
        // after the answer, and is felt by the next request.
        for (const turn of round % 2 ? [askUnknown, askKnown] : [askKnown, askUnknown])
          await turn();
      }
      const [a, b] = [median(times.known), median(times.unknown)];
      results.push({
        what: `${what}: known against unknown address, the slower over the faster`,
        ratio: Math.max(a, b) / Math.min(a, b),
        target: { atMost: 1.05 },
        detail: `medians of ${rounds}: ${a.toFixed(1)} ms known, ${b.toFixed(1)} ms unknown`,
      });
    }
    return results;
  } finally {
    await rally.stop();
    await server.stop();
  }
}
