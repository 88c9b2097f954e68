// The ages that a class is for: as a range, and in words ('6–8 years'). One file, so that words and
// range say the same.

export interface AgeRange {
  minAge: number | null;
  maxAge: number | null;
}

export const oldest = 120;

/** '6–8 years', '8 years and older', 'up to 12 years', '7 years'; empty for everybody. */
export function agesInWords({ minAge, maxAge }: AgeRange): string {
  if (minAge === null && maxAge === null) return '';
  if (maxAge === null) return `${minAge} years and older`;
  if (minAge === null) return `up to ${maxAge} years`;
  return minAge === maxAge ? `${minAge} years` : `${minAge}–${maxAge} years`;
}

/** For an answer: nothing where there is no limit. */
export const knownAges = ({ minAge, maxAge }: AgeRange) => ({
  ...(minAge !== null && { minAge }),
  ...(maxAge !== null && { maxAge }),
});

/** The class has an upper age, and it is below 18. */
export const isForChildren = (maxAge: number | null | undefined) => (maxAge ?? 18) < 18;

const patterns: [RegExp, (found: number, second: number) => AgeRange][] = [
  [
    /^(?:ages? )?(\d{1,3}) ?(?:[–-]|to) ?(\d{1,3})\b/i,
    (minAge, maxAge) => ({ minAge, maxAge: maxAge }),
  ],
  [
    /^(?:ages? )?(\d{1,3}) ?(?:\+|(?:years )?and (?:older|over|up)\b|years and older\b)/i,
    (minAge) => ({ minAge, maxAge: null }),
  ],
  [/^(?:ages? )?up to (\d{1,3})\b/i, (maxAge) => ({ minAge: null, maxAge })],
  [/^(?:ages? )?(\d{1,3})(?: years?)?$/i, (age) => ({ minAge: age, maxAge: age })],
];

/** The range in the words of an instructor. Other words ('Adults') give none. */
export function agesFromWords(words: string): AgeRange {
  const plain = words.trim().replace(/\s+/g, ' ');
  for (const [pattern, range] of patterns) {
    const found = pattern.exec(plain);
    if (!found) continue;
    const { minAge, maxAge } = range(Number(found[1]), Number(found[2]));
    const fits = (age: number | null) => age === null || age <= oldest;
    if (fits(minAge) && fits(maxAge) && (minAge ?? 0) <= (maxAge ?? oldest))
      return { minAge, maxAge };
  }
  return { minAge: null, maxAge: null };
}
