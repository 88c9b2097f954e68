// The classes that wait for a decision, the longest wait first. The name leads to the review.
import { useState } from 'react';
import { Link } from 'react-router';
import type { AdminFigures } from '../../../contract/academy/figures.ts';
import { ApproveDeny, type Decided, DenyReason } from '../../classes/ApproveDeny.tsx';
import { WhatChanged } from '../../classes/WhatChanged.tsx';
import { paths } from '../../platform/paths.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { CardSection } from '../../platform/ui/CardSection.tsx';
import { dateOf } from '../../platform/ui/dates.ts';

interface WaitingClassesProps {
  waiting: AdminFigures['waiting'];
  pending: number;
}

/** More would push the figures off the screen. */
const few = 5;

/** A class on sale waits with a change, or with dates. */
const proposedAt = ({ status, since }: AdminFigures['waiting'][number]) =>
  status === 'approved' ? { proposedAt: since } : {};

export function WaitingClasses({ waiting, pending }: WaitingClassesProps) {
  const [denied, setDenied] = useState<Decided | null>(null);
  const [all, setAll] = useState(false);
  return (
    <CardSection
      title="Waiting for your decision"
      actions={
        <Link to={`${paths.dashboard.manageClasses}?status=pending`} className="link text-sm">
          {pending === 0
            ? 'All classes'
            : pending === 1
              ? 'See the pending class'
              : `See all ${pending} pending`}
        </Link>
      }
    >
      {waiting.length === 0 ? (
        <p className="muted">
          Nothing to review. New classes appear here as soon as an instructor adds one.
        </p>
      ) : (
        <ul className="divide-y divide-base-300">
          {(all ? waiting : waiting.slice(0, few)).map((row) => (
            <li key={row._id} className="flex flex-wrap items-center justify-between gap-3 py-3">
              <div className="min-w-0">
                <p className="font-semibold wrap-anywhere">
                  <Link to={paths.dashboard.review(row._id)} className="link-hover link">
                    {row.name}
                  </Link>
                </p>
                <p className="text-sm muted">
                  {row.instructor} · since <time dateTime={row.since}>{dateOf(row.since)}</time>
                </p>
                <WhatChanged {...row} {...proposedAt(row)} />
                {row.changed && row.feedback && (
                  <p className="muted line-clamp-2 text-sm wrap-anywhere">
                    Your feedback: {row.feedback}
                  </p>
                )}
              </div>
              <div className="flex gap-2">
                <ApproveDeny item={{ ...row, ...proposedAt(row) }} onDenied={setDenied} />
              </div>
            </li>
          ))}
        </ul>
      )}
      {waiting.length > few && (
        <Button
          look="plain"
          size="small"
          className="self-start"
          aria-expanded={all}
          onClick={() => setAll(!all)}
        >
          {all ? 'Show fewer' : `Show ${waiting.length - few} more`}
        </Button>
      )}
      {denied && <DenyReason key={denied._id} item={denied} onClose={() => setDenied(null)} />}
    </CardSection>
  );
}
