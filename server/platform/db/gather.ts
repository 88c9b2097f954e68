// Reads rows by key for many requests with one statement: keys that are asked for in one turn of
// the event loop are read together. Every key is read after it was asked for; nothing is kept.

/** Reads the value of each key. A key without a value is left out. */
type Read<V> = (keys: string[]) => Promise<Map<string, V>>;

interface Waiting<V> {
  answer: (value: V | null) => void;
  refuse: (error: unknown) => void;
}

export function gather<V>(read: Read<V>): (key: string) => Promise<V | null> {
  let asked = new Map<string, Waiting<V>[]>();

  async function readAll(): Promise<void> {
    const now = asked;
    asked = new Map();
    try {
      const found = await read([...now.keys()]);
      // Each goes on in a turn of its own, as if it had been read alone. The rate limit would
      // otherwise judge each request by the number of all.
      for (const [key, waiting] of now)
        for (const { answer } of waiting) setImmediate(answer, found.get(key) ?? null);
    } catch (error) {
      for (const waiting of now.values()) for (const { refuse } of waiting) refuse(error);
    }
  }

  return (key) =>
    new Promise((answer, refuse) => {
      if (asked.size === 0) setImmediate(() => void readAll());
      const waiting = asked.get(key);
      if (waiting) waiting.push({ answer, refuse });
      else asked.set(key, [{ answer, refuse }]);
    });
}
