// The icons that a sport of the academy can have.
export const sportIcons = [
  'ball',
  'basketball',
  'bike',
  'dumbbell',
  'flower',
  'footprints',
  'medal',
  'mountain',
  'music',
  'paddle',
  'sailboat',
  'shield',
  'snowflake',
  'soccer',
  'target',
  'trophy',
  'volleyball',
  'waves',
] as const;
export type SportIcon = (typeof sportIcons)[number];
