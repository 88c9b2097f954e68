// The buttons of a row in a list: up, down, remove.
import { Icon } from '../../platform/ui/Icon.tsx';
import * as icons from '../../platform/ui/dashboardicons.ts';

interface ListToolsProps {
  /** What the row is: 'sport 2'. */
  what: string;
  at: number;
  last: number;
  move: (from: number, to: number) => void;
  remove: (at: number) => void;
  /** Why it cannot be removed. */
  stays?: string | undefined;
}

export function ListTools({ what, at, last, move, remove, stays }: ListToolsProps) {
  const button = 'btn btn-ghost btn-square size-11';
  return (
    <div className="flex shrink-0">
      <button
        type="button"
        className={button}
        aria-label={`Move ${what} up`}
        disabled={at === 0}
        onClick={() => move(at, at - 1)}
      >
        <Icon name={icons.up} className="size-5" />
      </button>
      <button
        type="button"
        className={button}
        aria-label={`Move ${what} down`}
        disabled={at === last}
        onClick={() => move(at, at + 1)}
      >
        <Icon name="down" className="size-5" />
      </button>
      <button
        type="button"
        className={button}
        aria-label={stays ? `${what} cannot be removed: ${stays}` : `Remove ${what}`}
        title={stays}
        disabled={stays !== undefined}
        onClick={() => remove(at)}
      >
        <Icon name="x" className="size-5" />
      </button>
    </div>
  );
}
