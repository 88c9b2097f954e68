export const sports = [
  'Archery',
  'Basketball',
  'Cycling',
  'Fitness',
  'Running',
  'Soccer',
  'Swimming',
  'Table Tennis',
  'Tennis',
  'Volleyball',
  'Yoga',
  'Other',
] as const;
export type Sport = (typeof sports)[number];
