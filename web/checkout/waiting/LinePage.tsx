// /dashboard/manageclasses/{class}/line, /dashboard/myclasses/{class}/line: who waits for a class, in order. The office sees who, and may put somebody
// first; who teaches sees how many.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { classLine, type InLine, putFirst } from '../../../contract/checkout/waits.ts';
import { getClass } from '../../../contract/classes/classes.ts';
import { useSession } from '../../people/session/SessionProvider.tsx';
import { query, useCall } from '../../platform/api/query.ts';
import { paths } from '../../platform/paths.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { momentOf } from '../../platform/ui/dates.ts';
import { OnePage } from '../../platform/ui/OnePage.tsx';
import { PageHeading } from '../../platform/ui/PageHeading.tsx';
import { EmptyState } from '../../platform/ui/States.tsx';
import { TextDialog } from '../../platform/ui/TextDialog.tsx';
import { untilInWords } from './until.ts';

export function LinePage() {
  const { id = '' } = useParams();
  const { role } = useSession();
  const line = useQuery(query(classLine, { id }));
  const item = useQuery(query(getClass, { id }));
  const [first, setFirst] = useState<InLine | null>(null);
  const isOffice = role === 'admin';
  return (
    <OnePage
      list={
        isOffice
          ? { title: 'Review', to: paths.dashboard.review(id) }
          : { title: 'Instructor Classes', to: paths.dashboard.myClasses }
      }
      title="Line"
      missing={{ title: 'There is no such class', why: 'The link may have a typo.' }}
      error={line.error}
      onRetry={() => void line.refetch()}
    >
      {line.data && (
        <>
          <PageHeading title="Line" shown={item.data && `Line of ${item.data.name}`}>
            {summary(line.data)}
          </PageHeading>
          {line.data.length === 0 ? (
            <EmptyState title="Nobody waits">
              Families join the list of a class when it is full.
            </EmptyState>
          ) : (
            <ol className="divide-base-300 border-base-300 rounded-box bg-base-100 max-w-3xl divide-y border">
              {line.data.map((row) => (
                <Row key={row.waitId} row={row} onFirst={isOffice ? () => setFirst(row) : null} />
              ))}
            </ol>
          )}
          {first && <PutFirst classId={id} row={first} onClose={() => setFirst(null)} />}
        </>
      )}
    </OnePage>
  );
}

/** '4 waiting, 1 offer open' */
function summary(rows: readonly InLine[]): string {
  const offers = rows.filter(({ state }) => state === 'offered').length;
  const waiting = rows.length - offers;
  const open = offers === 1 ? '1 offer open' : `${offers} offers open`;
  return [`${waiting} waiting`, offers > 0 && open].filter(Boolean).join(', ');
}

const states: Record<InLine['state'], string> = {
  waiting: 'Waiting',
  gathering: 'Seats are gathered',
  offered: 'Offered',
  passed: 'Until enough seats are free',
  paused: 'Offered another class',
  ended: 'Over',
};

function Row({ row, onFirst }: { row: InLine; onFirst: (() => void) | null }) {
  const { place, seats, state, since, until, who, putFirst: why } = row;
  const facts = [
    until ? `${states[state]} until ${untilInWords(until)}` : states[state],
    seats > 1 && `${seats} seats together`,
    `since ${momentOf(since)}`,
  ];
  const movable = state === 'waiting' || state === 'passed' || state === 'paused';
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3">
      <span className="figures w-8 text-lg font-bold">{place ?? '–'}</span>
      <div className="min-w-0 flex-1 basis-48">
        {who && (
          <p className="font-semibold wrap-anywhere">
            <Link to={paths.dashboard.user(who.userId)} className="touch link-hover">
              {who.name}
            </Link>
            {who.children.length > 0 && ` for ${who.children.join(', ')}`}
          </p>
        )}
        <p className={who ? 'meta' : ''}>{facts.filter(Boolean).join(' · ')}</p>
        {why && <p className="meta">Put first: {why}</p>}
      </div>
      {onFirst && movable && (
        <Button size="small" look="outline" of={who?.name} onClick={onFirst}>
          Put first…
        </Button>
      )}
    </li>
  );
}

function PutFirst({
  classId,
  row,
  onClose,
}: {
  classId: string;
  row: InLine;
  onClose: () => void;
}) {
  const first = useCall(putFirst);
  return (
    <TextDialog
      title={`Put ${row.who?.name ?? 'this family'} first`}
      label="Reason"
      hint="For the office. The others read that a family was put first, without a name or the reason."
      maxLength={500}
      submit="Put first"
      sent="Put first"
      send={(reason) => first.mutateAsync({ id: classId, waitId: row.waitId, reason })}
      onClose={onClose}
    />
  );
}
