// /dashboard/family: oneself and the children in one's care, a card each.
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { listParticipants, type Participant } from '../../../contract/people/family.ts';
import { calendarDays, myCalendar, type OwnMeeting } from '../../../contract/classes/calendar.ts';
import { addDays } from '../../../contract/platform/days.ts';
import { query, useSettings } from '../../platform/api/query.ts';
import { dayName, todayIn } from '../../platform/ui/dates.ts';
import { paths } from '../../platform/paths.ts';
import { Button, LinkButton } from '../../platform/ui/Button.tsx';
import { type AnyIcon, Icon } from '../../platform/ui/Icon.tsx';
import { PageHeading } from '../../platform/ui/PageHeading.tsx';
import { EmptyState, NotYet, Skeleton } from '../../platform/ui/States.tsx';
import * as icons from '../../platform/ui/dashboardicons.ts';
import { onDemand } from '../../platform/ui/onDemand.tsx';
import { Link } from 'react-router';
import { useSession } from '../../people/session/SessionProvider.tsx';
import { Avatar } from '../../platform/ui/Picture.tsx';
import { aboutOf, careInWords, namesInWords } from './words.ts';

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

interface PersonCardProps {
  person: Participant;
  /** Null: there is none; undefined: not known. */
  next: OwnMeeting | null | undefined;
}

function PersonCard({ person, next }: PersonCardProps) {
  const { user } = useSession();
  const { _id, self, name, care, guardians, invited } = person;
  const others = guardians.filter(({ you }) => !you).map((guardian) => guardian.name);
  return (
    <article className="card-frame relative h-full transition-shadow duration-150 focus-within:shadow-lg hover:shadow-lg">
      <div className="flex items-center gap-3">
        <Avatar
          person={{ id: _id, name, image: self ? user?.image : null }}
          size={64}
          named={false}
        />
        <div className="min-w-0 flex-1">
          <h2 className="text-lg leading-snug">
            <Link to={paths.dashboard.familyMember(_id)} className="card-link">
              {name}
            </Link>
          </h2>
          <p className="muted figures text-sm">{aboutOf(person)}</p>
        </div>
        <Icon name="right" className="muted size-5 shrink-0" />
      </div>
      <ul className="flex flex-col gap-1.5 text-sm">
        {next !== null && (
          <Fact icon="clock">
            {next ? (
              <>
                <span className="figures font-medium whitespace-nowrap">
                  {dayName(next.day)}, {next.starts}
                </span>{' '}
                {next.name}
                {next.place && `, ${next.place}`}
              </>
            ) : (
              'Next meeting: …'
            )}
          </Fact>
        )}
        <Fact
          icon={care === 'filled' ? icons.circleCheck : 'alert'}
          tone={care === 'filled' ? 'text-success' : self && care === 'none' ? '' : 'text-warning'}
        >
          Allergies and contacts: {careInWords(person)}
        </Fact>
        {others.length > 0 && <Fact icon="users">Shared with {namesInWords(others)}</Fact>}
        {invited.length > 0 && <Fact icon={icons.mail}>Invited: {invited.join(', ')}</Fact>}
      </ul>
    </article>
  );
}

interface FactProps {
  icon: AnyIcon;
  tone?: string;
  children: ReactNode;
}

function Fact({ icon, tone = '', children }: FactProps) {
  return (
    <li className={`flex items-start gap-2 ${tone && 'font-medium'} ${tone}`}>
      <Icon name={icon} className={`mt-0.5 size-4 shrink-0 ${tone ? '' : 'muted'}`} />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </li>
  );
}
