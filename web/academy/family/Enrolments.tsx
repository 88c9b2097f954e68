// The classes in which a person is enrolled.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Participant } from '../../../contract/people/family.ts';
import { limits } from '../../../contract/platform/limits.ts';
import { type Enrolment, listEnrolments } from '../../../contract/checkout/payments.ts';
import { query } from '../../platform/api/query.ts';
import { paths } from '../../platform/paths.ts';
import { useSession } from '../../people/session/SessionProvider.tsx';
import { CardSection } from '../../platform/ui/CardSection.tsx';
import { NotYet, Skeleton } from '../../platform/ui/States.tsx';
import { WhenWhere } from '../../platform/ui/WhenWhere.tsx';
import { dayName } from '../../platform/ui/dates.ts';

export function Enrolments({ person }: { person: Participant }) {
  const { user } = useSession();
  const enrolments = useQuery(
    query(listEnrolments, { email: user?.email ?? '', limit: limits.pageSize }),
  );
  // Without an id it is the account's own.
  const rows = enrolments.data?.items.filter(
    ({ participantId = user?.id }) => participantId === person._id,
  );
  return (
    <CardSection
      title="Classes"
      actions={
        <Link to={paths.classes} className="link link-primary text-sm">
          Find a class
        </Link>
      }
    >
      <NotYet of={enrolments}>
        <Skeleton className="h-20" />
      </NotYet>
      {rows?.length === 0 && (
        <p className="muted">{person.self ? 'You are' : `${person.name} is`} in no class yet.</p>
      )}
      {rows && rows.length > 0 && (
        <ul className="divide-base-300 -my-3 divide-y">
          {rows.map((row) => (
            <Row key={row._id} row={row} />
          ))}
        </ul>
      )}
    </CardSection>
  );
}

function Row({ row: { itemId, name, schedule, place, next } }: { row: Enrolment }) {
  return (
    <li className="py-3">
      <Link to={paths.class(itemId)} className="font-semibold underline-offset-4 hover:underline">
        {name}
      </Link>
      <WhenWhere schedule={schedule} place={place} />
      {next && (
        <p className="figures text-sm font-medium">
          Next: {dayName(next.day)}, {next.starts}
        </p>
      )}
    </li>
  );
}
