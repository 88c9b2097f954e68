// What a parent types, as filters: "tennis for a 7 year old, saturday" is tennis, age 7, Saturdays.
// What is left is searched for as words.

type Name = 'day' | 'time' | 'age';
type Told = Partial<Record<Name, string | undefined>>;

interface Understood extends Told {
  rest: string;
  /** The words that said it. */
  words: Partial<Record<Name, string[]>>;
}

/** Nobody says "after 4" in the morning of a class. */
const hourOf = (hour = '', half = '') => {
  const said = Number(hour);
  return String(said < 12 && (half === 'pm' || (half === '' && said < 8)) ? said + 12 : said);
};

const rules: [RegExp, (...found: (string | undefined)[]) => Told][] = [
  [/\b(\d{1,2})[ -]?(?:years?|yrs?|y\/?o)\b(?:[ -]old)?/, (age) => ({ age })],
  [/\bage[ds]? (\d{1,2})\b/, (age) => ({ age })],
  [/\bafter[ -]?school\b/, () => ({ day: 'weekdays', time: '15' })],
  [
    /\b(?:after|from) (1?\d|2[0-3])(?:[:.]\d\d)? ?(am|pm)?\b/,
    (hour, half) => ({ time: hourOf(hour, half) }),
  ],
  [/\b(1?\d|2[0-3])[:.]00\b/, (hour) => ({ time: hourOf(hour) })],
  [/\bweek(day|end)s?\b/, (part) => ({ day: part === 'day' ? 'weekdays' : 'weekend' })],
  [/\b(mon|tues|wednes|thurs|fri|satur|sun)days?\b/, (day = '') => ({ day: day.slice(0, 3) })],
  [/\b(morning|afternoon|evening)s?\b/, (time) => ({ time })],
];

/** Words that say nothing about a class. */
const fillers =
  /\b(?:an?|the|for|in|on|at|and|with|my|our|kids?|child|children|girls?|boys?|sons?|daughters?|class|classes|courses?|lessons?)\b/g;

export function understood(typed: string): Understood {
  let rest = typed.toLowerCase();
  const told: Understood = { rest, words: {} };
  for (const [pattern, meaning] of rules)
    for (let found = pattern.exec(rest); found; found = pattern.exec(rest)) {
      const [said, ...parts] = found;
      rest = rest.replace(said, ' ');
      for (const [name, value] of Object.entries(meaning(...parts)) as [Name, string][]) {
        told.words[name] = [...(told.words[name] ?? []), said];
        if (name === 'day' && told.day && !told.day.includes(value)) told.day += `,${value}`;
        else told[name] ??= value;
      }
    }
  told.rest = spaced(rest.replaceAll(fillers, ' '));
  return told;
}

const spaced = (words: string) => words.replaceAll(/[\s,]+/g, ' ').trim();

/** What was typed, without the words that said this. */
export const unsaid = (typed: string, name: string) =>
  spaced(
    (understood(typed).words[name as Name] ?? []).reduce(
      (left, said) => left.replace(new RegExp(said, 'i'), ' '),
      typed,
    ),
  );
