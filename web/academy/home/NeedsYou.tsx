// What waits for the office, as sentences with what can be done about each. The name of a class leads to
// its review.
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { AdminFigures } from '../../../contract/academy/figures.ts';
import { ApproveDeny, type Decided, DenyReason } from '../../classes/ApproveDeny.tsx';
import { WhatChanged } from '../../classes/WhatChanged.tsx';
import { inWords } from '../../platform/lists/total.ts';
import { paths } from '../../platform/paths.ts';
import { Button, LinkButton } from '../../platform/ui/Button.tsx';
import { Card } from '../../platform/ui/Card.tsx';
import { dateOf } from '../../platform/ui/dates.ts';

type Waiting = AdminFigures['waiting'][number];

/** More would push the figures off the screen. */
const few = 5;

/** A class on sale waits with a change, or with dates. */
const proposedAt = ({ status, since }: Waiting) =>
  status === 'approved' ? { proposedAt: since } : {};

/** Without those that are zero. Failed refunds and families are among what needs attention. */
const sentencesOf = ({ failedRefunds, attention, families }: AdminFigures) => {
  const others = attention - families - failedRefunds;
  const refunds = `${paths.dashboard.payments}?status=refund_failed`;
  const { attention: list } = paths.dashboard;
  const all = [
    [failedRefunds, 'refund has failed.', 'refunds have failed.', 'Send again', refunds],
    [others, 'payment needs a look.', 'payments need a look.', 'Look', list],
    [families, 'family waits for an answer.', 'families wait for an answer.', 'Answer', list],
  ] as const;
  return all
    .filter(([count]) => count > 0)
    .map(([count, one, more, act, to]) => ({
      says: count === 1 ? `1 ${one}` : `${inWords(count)} ${more}`,
      act,
      to,
    }));
};

export function NeedsYou({ figures }: { figures: AdminFigures }) {
  const { waiting, classes } = figures;
  const [denied, setDenied] = useState<Decided | null>(null);
  const [all, setAll] = useState(false);
  const sentences = sentencesOf(figures);
  return (
    <Card title="Needs you">
      <ul className="divide-base-300 divide-y empty:hidden">
        {sentences.map(({ says, act, to }) => (
          <Item key={act + to} says={<p className="font-semibold">{says}</p>}>
            <LinkButton size="small" look="outline" to={to} of={says}>
              {act}
            </LinkButton>
          </Item>
        ))}
        {(all ? waiting : waiting.slice(0, few)).map((row) => (
          <Item key={row._id} says={<WaitingClass row={row} />}>
            <ApproveDeny item={{ ...row, ...proposedAt(row) }} onDenied={setDenied} />
          </Item>
        ))}
      </ul>
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
      {classes.pending > waiting.length && (
        <Link to={`${paths.dashboard.manageClasses}?status=pending`} className="link">
          See all {inWords(classes.pending)} pending
        </Link>
      )}
      <p className="meta">
        {sentences.length + waiting.length > 0 ? 'Nothing else.' : 'Nothing needs you now.'}
      </p>
      {denied && <DenyReason key={denied._id} item={denied} onClose={() => setDenied(null)} />}
    </Card>
  );
}

const Item = ({ says, children }: { says: ReactNode; children: ReactNode }) => (
  <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
    <div className="min-w-0 flex-1 basis-40">{says}</div>
    <div className="flex flex-wrap gap-2">{children}</div>
  </li>
);

const WaitingClass = ({ row }: { row: Waiting }) => (
  <>
    <p className="font-semibold wrap-anywhere">
      <Link to={paths.dashboard.review(row._id)} className="link-hover link">
        {row.name}
      </Link>
    </p>
    <p className="meta">
      {row.instructor} · since <time dateTime={row.since}>{dateOf(row.since)}</time>
    </p>
    <WhatChanged {...row} {...proposedAt(row)} />
    {row.changed && row.feedback && (
      <p className="meta line-clamp-2 wrap-anywhere">Your feedback: {row.feedback}</p>
    )}
  </>
);
