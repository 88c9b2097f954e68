// The top of a roll call: which meeting, what is done for all at once, and how many are here.
import { Link } from 'react-router';
import type { Roster, RosterMeeting } from '../../../contract/rollcall/rollcall.ts';
import { paths } from '../../platform/paths.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { Icon } from '../../platform/ui/Icon.tsx';
import { dayName } from '../../platform/ui/dates.ts';
import { usePageTitle } from '../../platform/ui/head.tsx';
import { printer } from './icons.ts';
import { keepFocus } from '../../platform/ui/focus.ts';

interface TopBarProps {
  roster: Roster;
  /** Undefined: a class without dates. */
  meeting: RosterMeeting | undefined;
  total: number;
  /** How many are not marked yet. */
  uncalled: number;
  onAllPresent: () => void;
  onWalkIn: (() => void) | undefined;
}

export function TopBar(props: TopBarProps) {
  const { roster, meeting, total, uncalled, onAllPresent, onWalkIn } = props;
  usePageTitle(`Roll call: ${roster.name}`);
  return (
    <div className="mb-4">
      <Link
        to={paths.dashboard.rollCall}
        className="-mt-3 -ml-1 inline-flex min-h-11 items-center gap-1 font-medium"
      >
        <Icon name="left" className="size-5" /> Roll Call
      </Link>
      <h1 className="text-2xl wrap-anywhere">{roster.name}</h1>
      {meeting && (
        <p className="figures mt-1">
          {dayName(meeting.day)}, {meeting.starts}–{meeting.ends}
          {meeting.place && ` · ${meeting.place}`}
        </p>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        {uncalled > 0 && (
          <Button
            className="min-h-12 max-sm:px-3"
            onClick={({ currentTarget }) =>
              void keepFocus(currentTarget, async () => onAllPresent())
            }
          >
            <Icon name="check" className="size-5" stroke={2.5} /> All present
          </Button>
        )}
        {onWalkIn && (
          <Button look="outline" className="min-h-12 max-sm:px-3" onClick={onWalkIn}>
            <Icon name="userPlus" className="size-5" /> Walk-in
          </Button>
        )}
        <Button
          look="outline"
          className="min-h-12 max-sm:px-3"
          disabled={total === 0}
          onClick={() => window.print()}
        >
          <Icon name={printer} className="size-5" />{' '}
          <span className="max-[22rem]:sr-only">Print</span>
        </Button>
      </div>
    </div>
  );
}

/** Stays under the header while the list is scrolled. */
export function Here({ here, total, unsent }: { here: number; total: number; unsent: number }) {
  return (
    <p
      className="figures sticky top-16 z-10 -mx-4 flex flex-wrap items-baseline gap-x-3 bg-base-200 px-4 py-3 text-2xl font-bold sm:mx-0 sm:px-0"
      aria-live="polite"
    >
      {here} of {total} here
      {unsent > 0 && <span className="text-base font-medium">{unsent} not sent</span>}
    </p>
  );
}
