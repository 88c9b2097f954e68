import { expect, it } from 'vitest';
import { gather } from './gather.ts';

/** A reader that waits until it is told to answer, and remembers what it was asked for. */
function aReader() {
  const reads: { keys: string[]; answer: () => void; fail: () => void }[] = [];
  const read = gather<string>(
    (keys) =>
      new Promise((resolve, reject) => {
        const found = new Map(keys.filter((key) => key !== 'none').map((key) => [key, `${key}!`]));
        const answer = () => resolve(found);
        reads.push({ keys, answer, fail: () => reject(new Error('away')) });
      }),
  );
  return { read, reads };
}

const turn = () => new Promise((next) => setImmediate(next));

it('reads the keys of one turn together, each once, and answers each with its own value', async () => {
  const { read, reads } = aReader();
  const asked = ['a', 'b', 'a', 'none'].map((key) => read(key));
  await turn();
  expect(reads.map(({ keys }) => keys)).toEqual([['a', 'b', 'none']]);
  reads[0]?.answer();
  expect(await Promise.all(asked)).toEqual(['a!', 'b!', 'a!', null]);
});

it('reads a key again that is asked for while it is being read', async () => {
  const { read, reads } = aReader();
  const first = read('a');
  await turn();
  const second = read('a');
  await turn();
  expect(reads.map(({ keys }) => keys)).toEqual([['a'], ['a']]);
  // The second does not wait for the first.
  reads[1]?.answer();
  expect(await second).toBe('a!');
  reads[0]?.answer();
  expect(await first).toBe('a!');
});

it('refuses all of one turn when the read fails, and none of the next', async () => {
  const { read, reads } = aReader();
  const asked = Promise.allSettled([read('a'), read('b')]);
  await turn();
  reads[0]?.fail();
  expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const next = read('a');
  await turn();
  reads[1]?.answer();
  expect(await next).toBe('a!');
});
