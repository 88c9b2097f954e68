// When and where a class takes place, each with its icon; nothing for what is not known, but that
// there are no dates yet.
import { Fragment } from 'react';
import { Icon } from './Icon.tsx';

interface WhenWhereProps {
  schedule: string;
  place: string;
  undated?: boolean | undefined;
}

export const noDates = 'No dates yet';

export function WhenWhere({ schedule, place, undated }: WhenWhereProps) {
  const facts = [
    { icon: 'calendar', words: schedule, means: 'When' },
    { icon: 'pin', words: place, means: 'Where' },
  ] as const;
  if (!schedule && !place && !undated) return null;
  return (
    <div className="muted flex flex-wrap gap-x-4 gap-y-1 text-sm font-normal">
      {undated && <span className="text-warning font-medium">{noDates}</span>}
      {facts.map(
        ({ icon, words, means }) =>
          words && (
            <span key={icon} className="flex min-w-0 items-start gap-1.5">
              <Icon name={icon} className="mt-0.5 size-4 shrink-0" />
              <span className="sr-only">{means}: </span>
              <span className="min-w-0 wrap-anywhere">
                <Parts words={words} />
              </span>
            </span>
          ),
      )}
    </div>
  );
}

/** A line ends after a dot or a semicolon, not within '9:00–10:30', where there is room. */
const longest = 28;

export const Parts = ({ words }: { words: string }) =>
  words
    .replaceAll(/( ·|;) /g, '$1\n')
    .split('\n')
    .map((part, nth, all) => (
      <Fragment key={all.slice(0, nth + 1).join()}>
        {nth > 0 && ' '}
        <span className={part.length > longest ? '' : 'inline-block'}>{part}</span>
      </Fragment>
    ));
