// Asks whether care facts of more than a year ago are still right, and shows what a tap confirms.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { readCare, writeCare } from '../../contract/people/care.ts';
import { careInWords, documentOf } from '../../contract/people/carewords.ts';
import { query, readAgain, useCall } from '../platform/api/query.ts';
import { readable } from '../platform/api/send.ts';
import { paths } from '../platform/paths.ts';
import { Button, LinkButton } from '../platform/ui/Button.tsx';
import { toast } from '../platform/ui/alert.ts';
import { dateOf } from '../platform/ui/dates.ts';
import { keepFocus } from '../platform/ui/focus.ts';
import { Skeleton } from '../platform/ui/States.tsx';

export function StillRight({ id, name }: { id: string; name: string }) {
  const client = useQueryClient();
  const { data: facts, error, refetch, isFetching } = useQuery(query(readCare, { id }));
  const write = useCall(writeCare);
  if (!facts)
    return (
      <Box>
        {error ? (
          <>
            <p role="alert">The allergies and contacts of {name} could not be loaded.</p>
            <Button look="outline" busy={isFetching} onClick={() => void refetch()}>
              Retry
            </Button>
          </>
        ) : (
          <Skeleton className="h-24" />
        )}
      </Box>
    );
  const confirm = async (button: Element) => {
    try {
      await keepFocus(button, async () => {
        // Another guardian may have changed them since they were read.
        const { data: latest } = await refetch({ throwOnError: true });
        if (latest?.confirmedAt !== facts.confirmedAt) return readAgain(client);
        await write.mutateAsync({ id, ...documentOf(facts), seen: facts.confirmedAt });
        toast('Thank you. Allergies and contacts confirmed');
      });
    } catch {
      // It is said under the buttons.
    }
  };
  const isReadable = facts.state !== 'unreadable';
  return (
    <Box>
      <p>
        <strong className="block">
          {isReadable
            ? 'Allergies and contacts: still right?'
            : 'The allergies and contacts cannot be read'}
        </strong>
        {isReadable
          ? facts.confirmedAt && `Last confirmed on ${dateOf(facts.confirmedAt, 'always')}.`
          : 'Please enter them again.'}
      </p>
      {isReadable && (
        <ul className="flex flex-col gap-0.5">
          {careInWords(facts).map((line) => (
            <li key={line} className="whitespace-pre-line wrap-anywhere">
              {line}
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        {isReadable && (
          <Button
            look="outline"
            busy={write.isPending || isFetching}
            of={name}
            onClick={({ currentTarget }) => void confirm(currentTarget)}
          >
            Yes, still right
          </Button>
        )}
        <LinkButton
          look="plain"
          to={paths.dashboard.familyMember(id)}
          aria-label={`Change the allergies and contacts of ${name}`}
        >
          Change
        </LinkButton>
      </div>
      {write.error && (
        <p role="alert" className="text-error font-medium">
          Not confirmed. {readable(write.error)}
        </p>
      )}
    </Box>
  );
}

/** Over the row, whose every other place ticks the person. */
function Box({ children }: { children: ReactNode }) {
  return (
    <div className="border-warning rounded-box relative z-10 mt-2 flex flex-col gap-2 border p-3 text-sm">
      {children}
    </div>
  );
}
