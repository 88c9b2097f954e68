// The sports of a new academy; its admins change the list.
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
/** The name of a sport of the academy. */
export type Sport = string;
