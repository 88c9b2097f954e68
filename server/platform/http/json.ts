// A key that is twice in a JSON text: JSON.parse keeps the last of two equal keys, and another parser
// of the same text may keep the first.

/**
 * The first key that an object of a JSON text has twice, or null. For text that JSON.parse has
 * accepted.
 */
export function repeatedKey(text: string): string | null {
  // The keys seen so far for every open object; null for every list.
  const open: (Set<string> | null)[] = [];
  const tokens = /[{}[\]]|("(?:[^"\\]|\\.)*")(\s*:)?/gs;
  for (const [token, written, colon] of text.matchAll(tokens)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (colon && written) {
      const key = written.includes('\\') ? unescaped(written) : written.slice(1, -1);
      const seen = open.at(-1);
      if (seen?.has(key)) return key;
      seen?.add(key);
    }
  }
  return null;
}

function unescaped(written: string): string {
  try {
    return JSON.parse(written) as string;
  } catch {
    return written;
  }
}
