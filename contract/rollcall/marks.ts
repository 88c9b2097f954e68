// What the marks of one person in one meeting say together, for the server and the phone. Pure.

import { limits } from '../platform/limits.ts';

export const markStatuses = ['present', 'late', 'absent', 'excused', 'left'] as const;
export type MarkStatus = (typeof markStatuses)[number];

export const cameTo = (status: MarkStatus) => status !== 'absent' && status !== 'excused';

/** Why a mark is not stored. Sent again, it is refused again. */
export const markRefusals = {
  'unknown meeting': 'This meeting is not yours, or it was removed.',
  'not enrolled': 'This person was not enrolled at the time of the meeting.',
  'too early': 'The mark is more than a day before the meeting.',
  'too late':
    'The mark is more than 30 days after the meeting, or was sent a week later than that.',
  'too many walk-ins': `At most ${limits.mark.walkIns} walk-ins in a meeting.`,
  'too many marks': `At most ${limits.mark.ofOne} marks of one person in a meeting by one account.`,
  'used id': 'Another mark has this id.',
} as const;
export type MarkRefusal = keyof typeof markRefusals;

/** `at` is an instant in ISO 8601, in UTC. `by` is the name, `byId` the account; null: deleted. */
export interface PlainMark {
  _id: string;
  status: MarkStatus;
  at: string;
  byId: string | null;
}

const inOrder = (one: PlainMark, other: PlainMark) =>
  Date.parse(one.at) - Date.parse(other.at) || (one._id < other._id ? -1 : 1);

// The mark that counts is the one with the greatest (at, _id). `differing` are the last two when
// two people say different things, until one of them, or another person, marks again.
export function standing<M extends PlainMark>(
  marks: readonly M[],
): { mark: M | null; differing: M[] } {
  const known = [...new Map(marks.map((mark) => [mark._id, mark])).values()].toSorted(inOrder);
  let differing: M[] = [];
  for (const [nth, mark] of known.entries()) {
    const before = known[nth - 1];
    const differs = before && before.byId !== mark.byId && before.status !== mark.status;
    differing = differs && differing.length === 0 ? [before, mark] : [];
  }
  return { mark: known.at(-1) ?? null, differing };
}
