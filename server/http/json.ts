// What is refused of a JSON text: a key twice (JSON.parse keeps the last of two equal keys, and another
// parser of the same text may keep the first), and more levels, keys or values than any call needs.

const mostLevels = 32;
/** 200 meetings of a class have 1,400. */
const mostValues = 3_000;
/** No object has as many: reading 3,000 different keys takes 8 ms. */
const mostKeys = 100;

/**
 * Reading a deep text, or one of many values, costs far more than reading a long one. Also for text
 * that is no JSON.
 */
export function isTooMuch(text: string): boolean {
  /** How many more keys each open object may have; a list has no such bound. */
  const left: number[] = [];
  let values = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === ',') {
      values++;
      left.push((left.pop() ?? mostKeys) - 1);
    } else if (character === '{' || character === '[') {
      left.push(character === '{' ? mostKeys - 1 : Infinity);
      values++;
    } else if (character === '}' || character === ']') left.pop();
    else continue;
    if (left.length > mostLevels || values > mostValues || (left.at(-1) ?? 0) < 0) return true;
  }
  return false;
}

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
