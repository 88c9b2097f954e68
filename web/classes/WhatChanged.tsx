// What an instructor changed of a waiting class, or wants changed of one on sale.
import type { ReactNode } from 'react';
import type { Changeable, ManagedClass } from '../../contract/classes/classes.ts';
import { money } from '../platform/ui/money.ts';
import { Thumb } from '../platform/ui/Picture.tsx';

const words: Partial<Record<Changeable, string>> = {
  img: 'photo',
  seat: 'seats',
  bring: 'what to bring',
};
const factInWords = (field: Changeable) => words[field] ?? field;

type WhatChangedProps = Pick<ManagedClass, 'status' | 'changed' | 'proposedAt'> & {
  feedback?: string | undefined;
};

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

export function OldAndNew({ item }: { item: ManagedClass }) {
  const { proposal = {}, capacity } = item;
  const now = { ...item, seat: capacity };
  // A new range of ages has new words.
  const fields = (Object.keys(proposal) as (keyof typeof proposal)[]).filter(
    (field): field is Changeable => field !== 'minAge' && field !== 'maxAge',
  );
  if (fields.length === 0) return null;
  return (
    <dl aria-label="Changes" className="ruled text-sm">
      {fields.map((field) => (
        <div key={field} className="grid gap-x-4 px-4 py-2 sm:grid-cols-[7rem_1fr]">
          <dt className="muted first-letter:uppercase">{factInWords(field)}</dt>
          <dd className="wrap-anywhere whitespace-pre-line">
            <Becomes before={shown(field, now[field])} after={shown(field, proposal[field])} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

export const Becomes = ({ before, after }: { before: ReactNode; after: ReactNode }) => (
  <>
    <s className="muted">{before}</s> <span aria-hidden="true">→</span>
    <span className="sr-only">becomes</span> <strong className="font-medium">{after}</strong>
  </>
);

function shown(field: Changeable, value: string | number | undefined): ReactNode {
  if (field === 'price') return money(Number(value));
  if (field !== 'img') return value || 'none';
  return <Thumb src={String(value)} className="inline-block h-18 w-24" />;
}
