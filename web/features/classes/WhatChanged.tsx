// What an instructor changed of a waiting class since the admin last looked at it.
import type { Changeable } from '../../../contract/classes.ts';

const words: Partial<Record<Changeable, string>> = {
  img: 'photo',
  seat: 'seats',
  bring: 'what to bring',
};
export const factInWords = (field: Changeable) => words[field] ?? field;

export function WhatChanged({
  changed,
  feedback,
}: {
  changed?: Changeable[] | undefined;
  feedback?: string | undefined;
}) {
  if (!changed) return null;
  const fields = changed.map(factInWords).join(', ');
  return (
    <p className="text-sm font-medium">
      {feedback ? 'Changed after your feedback' : 'Changed since your decision'}: {fields}
    </p>
  );
}
