// How the family pages say ages, names and care facts.
import type { Participant } from '../../../contract/people/family.ts';
import { dayInYear } from '../../platform/ui/dates.ts';

/** 'You · 34 years' */
export const aboutOf = ({ self, age }: Participant) =>
  [self && 'You', age !== null && ageInWords(age)].filter(Boolean).join(' · ');

const ageInWords = (age: number) =>
  age === 0 ? 'under 1 year' : age === 1 ? '1 year' : `${age} years`;

/** 'Mia', 'Mia and Leo', 'Mia, Leo and Ana' */
export const namesInWords = (names: readonly string[]) =>
  new Intl.ListFormat('en-GB').format(names);

/** 'filled 3 Mar', 'missing' */
export function careInWords({ care, careAt }: Pick<Participant, 'care' | 'careAt'>): string {
  const on = careAt ? ` ${dayInYear(careAt.slice(0, 10))}` : '';
  if (care === 'none') return 'missing';
  return care === 'old' ? `from${on}, please look again` : `filled${on}`;
}
