// A person of a row: the own colour, always with the first name.

export interface Person {
  id: string;
  name: string;
}

// Tailwind must find whole words.
const tones = ['tone-0', 'tone-1', 'tone-2', 'tone-3', 'tone-4', 'tone-5', 'tone-6', 'tone-7'];

/** The same colour for the same person on every page. */
export function toneOf(id: string): string {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return tones[sum % tones.length] ?? 'tone-0';
}

export const Who = ({ person: { id, name } }: { person: Person }) => (
  <span className={`who ${toneOf(id)}`}>
    <span className="who-face" aria-hidden="true">
      {Array.from(name)[0]?.toUpperCase()}
    </span>
    {name.split(' ')[0]}
  </span>
);
