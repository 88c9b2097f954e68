// The link by which a calendar app follows the dates of one person.
import { useQuery } from '@tanstack/react-query';
import type { Participant } from '../../../contract/people/family.ts';
import { listFeeds } from '../../../contract/classes/feeds.ts';
import { query } from '../../platform/api/query.ts';
import { FeedItem } from '../../classes/calendar/FeedItem.tsx';
import { CardSection } from '../../platform/ui/CardSection.tsx';
import { ErrorNote, Skeleton } from '../../platform/ui/States.tsx';

export function CalendarLink({ person: { _id, name } }: { person: Participant }) {
  const feeds = useQuery(query(listFeeds, {}));
  return (
    <CardSection title="Calendar link">
      <p className="muted">Your calendar app reads a link and stays up to date.</p>
      {feeds.data ? (
        <FeedItem
          participantId={_id}
          name={`Dates of ${name}`}
          feed={feeds.data.find(({ participantId }) => participantId === _id)}
        />
      ) : feeds.error ? (
        <ErrorNote message={feeds.error.message} onRetry={() => void feeds.refetch()} />
      ) : (
        <Skeleton className="h-24" />
      )}
    </CardSection>
  );
}
