// The dialog with the calendar feeds of a person.
import { useQuery } from '@tanstack/react-query';
import { listFeeds } from '../../../../contract/classes/feeds.ts';
import { query } from '../../../platform/api/query.ts';
import { FeedItem } from '../FeedItem.tsx';
import { Modal } from '../../../platform/ui/Modal.tsx';
import { ErrorNote, Skeleton } from '../../../platform/ui/States.tsx';

interface Person {
  id: string;
  name: string;
}

interface SubscribeProps {
  /** Those who may have a feed of their own. */
  people: readonly Person[];
  onClose: () => void;
}

export function Subscribe({ people, onClose }: SubscribeProps) {
  const feeds = useQuery(query(listFeeds, {}));
  const known = (feeds.data ?? []).flatMap(({ participantId, name }) =>
    participantId && name ? [{ id: participantId, name }] : [],
  );
  const others = new Map([...people, ...known].map((person) => [person.id, person]));
  const kinds = [{ id: null, name: 'All my dates' }, ...others.values()];
  return (
    <Modal title="Subscribe on your phone" onClose={onClose}>
      <p>
        Your calendar app reads a link and stays up to date: new dates, other times and cancelled
        meetings appear by themselves, within a day at most.
      </p>
      {feeds.data ? (
        <ul className="flex flex-col gap-4">
          {kinds.map(({ id, name }) => (
            <li key={id}>
              <FeedItem
                participantId={id}
                name={name}
                feed={feeds.data.find(({ participantId }) => participantId === id)}
              />
            </li>
          ))}
        </ul>
      ) : feeds.error ? (
        <ErrorNote message={feeds.error.message} onRetry={() => void feeds.refetch()} />
      ) : (
        <Skeleton className="h-24" />
      )}
    </Modal>
  );
}
