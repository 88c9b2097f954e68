// The children of the demo parent, and their care facts.
import type { Care } from '../../contract/people/care.ts';

/** The children of the demo parent. Their seats are among the sold ones of the class. */
export const family = {
  email: 'parent@rally.test',
  children: [
    { name: 'Mia Parent', age: 7, takes: 'Run, Jump, Throw' },
    { name: 'Leo Parent', age: 10, takes: 'Soccer Goalkeepers' },
  ],
} as const;

/** Care facts of the demo children, by name. */
export const care: Record<string, Care> = {
  'Leo Parent': {
    allergies: 'Peanuts. Carries an adrenaline pen in the front pocket of his bag.',
    health: 'Mild asthma when it is cold.',
    medicine: 'Inhaler (blue), two puffs before long runs.',
    note: '',
    contacts: [
      { name: 'Pat Parent', relation: 'Mother', phone: '+351 910 000 101' },
      { name: 'Rui Parent', relation: 'Father', phone: '+351 910 000 102' },
    ],
    pickup: [{ name: 'Rosa Parent', relation: 'Grandmother', phone: '+351 910 000 103' }],
    mayGoAlone: false,
  },
};
