// Detects secrets that can be guessed: placeholders, words, keyboard rows, sequences, repeats. Used
// in production only. Not for: passwords.

export function isPlaceholder(value: string): boolean {
  return /change.?me|your[-_ ]|example|placeholder|insecure|default|password|secret.?key|replace|xxxx|\.\.\.|…/i.test(
    value,
  );
}

/** Long enough that no random secret contains one by chance. */
const placeholders =
  /change.?me|placeholder|insecure|default|p[a@]ssw[o0]rd|secret.?key|super.?secret|(rally|auth|jwt|dev(elopment)?|test).?secret/i;

// Words of this app and of settings add no entropy.
const ownWords =
  /rally|sports?|academy|secret|production|server|session|admin|token|auth|jwt|key|20[2-4]\d/gi;

const keyboard = [
  '1234567890-=',
  'qwertyuiop[]',
  'asdfghjkl;',
  'zxcvbnm,./',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/',
];
const rows = keyboard.flatMap((row) => [row, Array.from(row).toReversed().join('')]);

// The most frequent pairs of letters in English.
const pairs = new Set(
  `th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea ra ce li
   ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un lo wa ge ie wh ee wi em ad ol
   rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ld ry mp fe bl ab gh ty op wo sa ay ex ke`.split(
    /\s+/,
  ),
);

/**
 * Whether a character follows from the previous one: next in a sequence or keyboard row, or equal.
 */
function follows(before: string, after: string): boolean {
  const step = (after.codePointAt(0) ?? 0) - (before.codePointAt(0) ?? 0);
  return Math.abs(step) <= 1 || rows.some((row) => row.includes((before + after).toLowerCase()));
}

const isWord = (letters: string) => /^(\p{Ll}+|\p{Lu}+|\p{Lu}\p{Ll}|[ _-]\p{L})$/u.test(letters);

/**
 * Estimated entropy in bits: Shannon's for a random character, less for one that continues a row or
 * a word.
 */
function bits(secret: string): number {
  const letters = Array.from(secret);
  const counts = Map.groupBy(letters, (letter) => letter);
  let sum = 0;
  for (const [at, letter] of letters.entries()) {
    const two = (letters[at - 1] ?? '') + letter;
    const random = -Math.log2((counts.get(letter)?.length ?? 1) / letters.length);
    if (at > 0 && (follows(letters[at - 1] ?? '', letter) || pairs.has(two.toLowerCase())))
      sum += 1;
    else sum += isWord(two) ? Math.min(random, 2.5) : random;
  }
  return sum;
}

/** Hexadecimal only: some neighbours in sequence occur by chance, but not in most positions. */
function isWeakHex(secret: string): boolean {
  const steps = Array.from(secret)
    .slice(1)
    .filter((letter, at) => follows(secret[at] ?? '', letter));
  return steps.length > secret.length / 2 || new Set(secret).size < 10;
}

/**
 * True for a secret that a person made up. By this measure a sentence has fewer than 1.95 bits per
 * character, random base64 has 2 to 4.
 */
export function isGuessable(secret: string): boolean {
  if (placeholders.test(secret)) return true;
  const repeats = Array.from({ length: secret.length >> 1 }, (_, p) => p + 1).some(
    (p) => secret.slice(p) === secret.slice(0, -p),
  );
  if (repeats) return true;
  if (/^[\da-f]+$/i.test(secret)) return isWeakHex(secret);
  return bits(secret) < 1.97 * secret.length || bits(secret.replaceAll(ownWords, '')) < 60;
}
