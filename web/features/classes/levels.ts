// The levels of a class in words.
import type { Level } from '../../../contract/classes.ts';

export const levelInWords: Record<Level, string> = {
  all: 'All levels',
  beginner: 'Beginner',
  intermediate: 'Intermediate',
  advanced: 'Advanced',
};
