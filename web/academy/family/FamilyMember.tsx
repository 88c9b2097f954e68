// /dashboard/family/:id: all about one person: birth date, care facts, guardians, classes, calendar.
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { listParticipants, type Participant } from '../../../contract/people/family.ts';
import { query } from '../../platform/api/query.ts';
import { CareSection } from '../../people/care/CareSection.tsx';
import { listFeeds } from '../../../contract/classes/feeds.ts';
import { FeedItem } from '../../classes/calendar/FeedItem.tsx';
import { Attendance } from '../../rollcall/Attendance.tsx';
import { paths } from '../../platform/paths.ts';
import { LinkButton } from '../../platform/ui/Button.tsx';
import { CardSection } from '../../platform/ui/CardSection.tsx';
import { Icon } from '../../platform/ui/Icon.tsx';
import { PageHeading } from '../../platform/ui/PageHeading.tsx';
import { EmptyState, NotYet, Skeleton } from '../../platform/ui/States.tsx';
import { Details } from './Details.tsx';
import { Enrolments } from './Enrolments.tsx';
import { Guardians } from './Guardians.tsx';
import { RemoveChild } from './RemoveChild.tsx';
import { aboutOf } from './words.ts';

export function FamilyMember() {
  const { id } = useParams();
  const people = useQuery(query(listParticipants, {}));
  const person = people.data?.find(({ _id }) => _id === id);
  return (
    <>
      <nav aria-label="Breadcrumb" className="mb-2">
        <Link
          to={paths.dashboard.family}
          className="muted -ml-1 inline-flex min-h-11 items-center gap-1 text-sm underline-offset-4 hover:underline"
        >
          <Icon name="left" className="size-4" /> Family
        </Link>
      </nav>
      <PageHeading title={person?.name ?? 'Family'}>{person && aboutOf(person)}</PageHeading>
      <NotYet of={people}>
        <Skeleton className="h-96" />
      </NotYet>
      {person && <Sections key={person._id} person={person} />}
      {people.data && !person && (
        <EmptyState
          title="There is no such person"
          action={<LinkButton to={paths.dashboard.family}>Family</LinkButton>}
        >
          The child was removed, or you no longer look after it.
        </EmptyState>
      )}
    </>
  );
}

function Sections({ person }: { person: Participant }) {
  const isShared = person.guardians.length > 1 || person.invited.length > 0;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <div className="grid min-w-0 gap-4">
        <Details person={person} />
        <CareSection participantId={person._id} name={person.self ? 'you' : person.name} />
      </div>
      <div className="grid min-w-0 gap-4">
        <Enrolments person={person} />
        <CardSection title="Attendance">
          <Attendance participantId={person._id} />
        </CardSection>
        <CalendarLink person={person} />
        {(!person.self || isShared) && <Guardians person={person} />}
        {person.mayRemove && !person.self && <RemoveChild person={person} />}
      </div>
    </div>
  );
}

/** The link by which a calendar app follows the dates of one person. */
function CalendarLink({ person: { _id, name } }: { person: Participant }) {
  const feeds = useQuery(query(listFeeds, {}));
  return (
    <CardSection title="Calendar link">
      <p className="muted">Your calendar app reads a link and stays up to date.</p>
      <NotYet of={feeds}>
        <Skeleton className="h-24" />
      </NotYet>
      {feeds.data && (
        <FeedItem
          participantId={_id}
          name={`Dates of ${name}`}
          feed={feeds.data.find(({ participantId }) => participantId === _id)}
        />
      )}
    </CardSection>
  );
}
