// What an instructor changed of a waiting class since the admin last looked at it, or wants changed
// of one on sale.
import type { Changeable, ClassStatus } from '../../contract/classes/classes.ts';

const words: Partial<Record<Changeable, string>> = {
  img: 'photo',
  seat: 'seats',
  bring: 'what to bring',
};
export const factInWords = (field: Changeable) => words[field] ?? field;

interface WhatChangedProps {
  status: ClassStatus;
  changed?: Changeable[] | undefined;
  feedback?: string | undefined;
  proposedAt?: string | undefined;
}

export function WhatChanged({ status, changed, feedback, proposedAt }: WhatChangedProps) {
  if (!changed && !proposedAt) return null;
  const what =
    status === 'approved'
      ? 'A change waits'
      : feedback
        ? 'Changed after your feedback'
        : 'Changed since your decision';
  return (
    <p className="text-sm font-medium">
      {what}: {changed?.map(factInWords).join(', ') ?? 'dates'}
    </p>
  );
}
