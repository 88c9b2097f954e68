// What is refused of a JSON text: a key twice (JSON.parse keeps the last of two equal keys, and another
// parser of the same text may keep the first), and more levels, keys or values than any call needs.

const mostLevels = 32;
/** Reading 3,000 keys of one text takes 10 ms. No call of a family has as many as a hundred. */
export const mostValues = 100;
/** 200 meetings of a class have 1,400. */
export const valuesOfStaff = 3_000;

/**
 * Reading a deep text, or one of many values, costs far more than reading a long one. Also for text
 * that is no JSON.
 */
export function isTooMuch(text: string, most: number): boolean {
  let levels = 0;
  let values = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === ',') values++;
    else if (character === '{' || character === '[') {
      levels++;
      values++;
    } else if (character === '}' || character === ']') levels--;
    else continue;
    if (levels > mostLevels || values > most) return true;
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
