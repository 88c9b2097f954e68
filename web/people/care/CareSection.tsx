// The care facts of one participant: loads them and shows the form. For the page of a participant.
import { useQuery } from '@tanstack/react-query';
import { readCare } from '../../../contract/people/care.ts';
import { query } from '../../platform/api/query.ts';
import { ConfirmInPlace } from '../confirm/ConfirmFirst.tsx';
import { Note } from '../../platform/ui/Note.tsx';
import { ErrorNote, Skeleton } from '../../platform/ui/States.tsx';
import { CareForm } from './CareForm.tsx';

interface CareSectionProps {
  participantId: string;
  /** How the page calls them: "Mia", or "you". */
  name: string;
}

export function CareSection({ participantId, name }: CareSectionProps) {
  const { data, error, refetch } = useQuery(query(readCare, { id: participantId }));
  return (
    <section aria-labelledby="care" className="flex flex-col gap-4">
      <div>
        <h2 id="care" tabIndex={-1} className="text-lg">
          Allergies and contacts
        </h2>
        <p className="muted text-sm">
          Instructors see them from a day before a class until it is over. They are stored
          encrypted.
        </p>
      </div>
      {error?.code === 'EMAIL_NOT_CONFIRMED' ? (
        <Note tone="warn" title="Please confirm your address first">
          <p className="mb-3">Then you can write them down here.</p>
          <ConfirmInPlace look="outline" onConfirmed={() => void refetch()} />
        </Note>
      ) : error ? (
        <ErrorNote message={error.message} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton className="h-96" />
      ) : (
        <CareForm key={participantId} participantId={participantId} name={name} facts={data} />
      )}
    </section>
  );
}
