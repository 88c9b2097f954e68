// /dashboard/family: oneself and the children in one's care, a card each.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listParticipants } from '../../../contract/people/family.ts';
import { query } from '../../platform/api/query.ts';
import { paths } from '../../platform/paths.ts';
import { Button, LinkButton } from '../../platform/ui/Button.tsx';
import { Icon } from '../../platform/ui/Icon.tsx';
import { PageHeading } from '../../platform/ui/PageHeading.tsx';
import { EmptyState, ErrorNote, Skeleton } from '../../platform/ui/States.tsx';
import * as icons from '../../platform/ui/dashboardicons.ts';
import { onDemand } from '../../platform/ui/onDemand.tsx';
import { useNextMeetings } from './nextMeeting.ts';
import { PersonCard } from './PersonCard.tsx';

const AddChild = onDemand(() => import('./AddChild.tsx').then((m) => m.AddChild));
const ShareDialog = onDemand(() => import('./ShareDialog.tsx').then((m) => m.ShareDialog));

const grid = 'grid gap-4 md:grid-cols-2 2xl:grid-cols-3';

export function Family() {
  const people = useQuery(query(listParticipants, {}));
  const next = useNextMeetings();
  const [open, setOpen] = useState<'child' | 'share' | null>(null);
  const children = people.data?.filter(({ self }) => !self);
  const add = (
    <Button onClick={() => setOpen('child')}>
      <Icon name={icons.plus} /> Add a child
    </Button>
  );
  return (
    <>
      <PageHeading
        title="Family"
        actions={
          !!children?.length && (
            <>
              {add}
              <LinkButton to={paths.dashboard.familyPlan} look="outline">
                <Icon name="calendar" /> Plan a week
              </LinkButton>
              <Button look="outline" onClick={() => setOpen('share')}>
                <Icon name="userPlus" /> Share with another guardian
              </Button>
            </>
          )
        }
      >
        The people you book classes for.
      </PageHeading>
      {people.error && !people.data && (
        <ErrorNote message={people.error.message} onRetry={() => void people.refetch()} />
      )}
      {people.isPending && (
        <div aria-busy="true" className={grid}>
          <Skeleton className="h-44" />
          <Skeleton className="h-44" />
        </div>
      )}
      {people.data && (
        <ul className={grid}>
          {people.data.map((person) => (
            <li key={person._id}>
              <PersonCard person={person} next={next && (next.get(person._id) ?? null)} />
            </li>
          ))}
          {children?.length === 0 && (
            <li>
              <EmptyState title="Booking for a child?" action={add}>
                Add them once and choose them at every class.
              </EmptyState>
            </li>
          )}
        </ul>
      )}
      {open === 'child' && people.data && (
        <AddChild people={people.data} onClose={() => setOpen(null)} />
      )}
      {open === 'share' && children && (
        <ShareDialog kids={children} onClose={() => setOpen(null)} />
      )}
    </>
  );
}
