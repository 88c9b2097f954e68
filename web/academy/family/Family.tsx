// /dashboard/family: oneself and the children in one's care, a card each.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listParticipants } from '../../../contract/people/family.ts';
import { calendarDays, myCalendar, type OwnMeeting } from '../../../contract/classes/calendar.ts';
import { addDays } from '../../../contract/platform/days.ts';
import { query, useSettings } from '../../platform/api/query.ts';
import { todayIn } from '../../platform/ui/dates.ts';
import { paths } from '../../platform/paths.ts';
import { Button, LinkButton } from '../../platform/ui/Button.tsx';
import { Icon } from '../../platform/ui/Icon.tsx';
import { PageHeading } from '../../platform/ui/PageHeading.tsx';
import { EmptyState, NotYet, Skeleton } from '../../platform/ui/States.tsx';
import * as icons from '../../platform/ui/dashboardicons.ts';
import { onDemand } from '../../platform/ui/onDemand.tsx';
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
      <NotYet of={people}>
        <div aria-busy="true" className={grid}>
          <Skeleton className="h-44" />
          <Skeleton className="h-44" />
        </div>
      </NotYet>
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

/** By the id of the person, within six weeks; undefined while it loads or could not be read. */
function useNextMeetings(): ReadonlyMap<string, OwnMeeting> | undefined {
  const from = todayIn(useSettings().timeZone);
  const { data } = useQuery(query(myCalendar, { from, to: addDays(from, calendarDays - 1) }));
  const [now] = useState(() => new Date().toISOString());
  if (!data) return undefined;
  const next = new Map<string, OwnMeeting>();
  for (const meeting of data)
    if (meeting.state === 'on' && meeting.startsAt > now)
      for (const { id } of meeting.for ?? []) if (!next.has(id)) next.set(id, meeting);
  return next;
}
