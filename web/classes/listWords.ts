// What a family reads about the list of a class.
import type { Wait, Wish } from '../../contract/checkout/waits.ts';

const endings: Record<string, string> = { one: 'st', two: 'nd', few: 'rd', other: 'th' };

/** '3rd' */
export const nth = (place: number) =>
  `${place}${endings[new Intl.PluralRules('en', { type: 'ordinal' }).select(place)]}`;

export const oddsInWords = ({ odds }: Pick<Wish, 'odds'>) =>
  odds && `${odds.offered} of the last ${odds.of} families at this place were offered a seat.`;

/** 'Mia and Leo'; oneself is 'you'. */
export const namesOf = ({ participants }: Pick<Wait, 'participants'>) =>
  new Intl.ListFormat('en').format(participants.map(({ name }) => name ?? 'you').toSorted());

export const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

export const isYou = ({ participants }: Pick<Wait, 'participants'>) =>
  participants.some(({ name }) => name === null);

/** Nobody loses anything by waiting. */
export const freeToWait = 'You lose nothing: you pay only if you take a seat.';
