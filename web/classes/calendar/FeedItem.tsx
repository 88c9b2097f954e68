// A calendar feed, whose address is shown once, right after it was made.
import { useState } from 'react';
import type { Answer } from '../../../contract/platform/call.ts';
import { type Feed, makeFeed, removeFeed } from '../../../contract/classes/feeds.ts';
import { useCall } from '../../platform/api/query.ts';
import { ask, toast } from '../../platform/ui/alert.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { dateOf, dayName } from '../../platform/ui/dates.ts';
import { Field } from '../../platform/ui/Field.tsx';

interface FeedItemProps {
  /** Null: the feed of all one's dates. */
  participantId: string | null;
  name: string;
  feed: Feed | undefined;
}

export function FeedItem({ participantId, name, feed }: FeedItemProps) {
  const make = useCall(makeFeed);
  const remove = useCall(removeFeed);
  const [made, setMade] = useState<Answer<typeof makeFeed> | null>(null);
  const create = () => make.mutate(participantId ? { participantId } : {}, { onSuccess: setMade });
  const replace = async () => {
    const yes = await ask({
      title: 'Replace the link?',
      text: 'The old link stops working. Calendars that read it no longer get changes.',
      yes: 'Replace',
    });
    if (yes) create();
  };
  const onTurnedOff = () => {
    setMade(null);
    toast('The link is turned off.');
  };
  const failed = make.error ?? remove.error;
  return (
    <div className="rounded-field border-base-300 flex flex-col gap-3 border p-4">
      <div>
        <h3 className="text-base">{name}</h3>
        {feed && (
          <p className="muted text-sm">
            Made on {dateOf(feed.createdAt)}.{' '}
            {feed.readOn ? `Last read on ${dayName(feed.readOn)}.` : 'Not read yet.'}
          </p>
        )}
      </div>
      {made && feed?._id === made.insertedId && <Address url={made.url} webcal={made.webcal} />}
      {failed && (
        <p role="alert" className="text-error text-sm font-medium">
          {failed.message}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {feed ? (
          <>
            <Button
              size="small"
              look="outline"
              busy={make.isPending}
              onClick={() => void replace()}
            >
              Replace<span className="sr-only">: {name}</span>
            </Button>
            <Button
              size="small"
              look="plain"
              busy={remove.isPending}
              onClick={() => remove.mutate({ id: feed._id }, { onSuccess: onTurnedOff })}
            >
              Turn off<span className="sr-only">: {name}</span>
            </Button>
          </>
        ) : (
          <Button busy={make.isPending} onClick={create}>
            Make a link<span className="sr-only">: {name}</span>
          </Button>
        )}
      </div>
    </div>
  );
}

function Address({ url, webcal }: { url: string; webcal: string }) {
  const copy = async () => {
    await navigator.clipboard.writeText(url);
    toast('Link copied.');
  };
  return (
    <div className="flex flex-col gap-3">
      <Field
        label="Your link"
        readOnly
        value={url}
        onFocus={({ target }) => target.select()}
        hint="We show it only now. Whoever has this link sees these dates."
      />
      <div className="flex flex-wrap gap-2">
        <a href={webcal} className="btn btn-primary font-medium">
          Open in my calendar
        </a>
        <Button look="outline" onClick={() => void copy().catch(() => undefined)}>
          Copy
        </Button>
      </div>
    </div>
  );
}
