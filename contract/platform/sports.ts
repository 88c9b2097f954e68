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
export type Sport = string;
