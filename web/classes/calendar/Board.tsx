// A calendar: its days with arrows and Today, and the three views. Pages say what it shows.
import { type ComponentProps, type ReactNode, useRef, type TouchEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import { Icon } from '../../platform/ui/Icon.tsx';
import { NotYet, Skeleton } from '../../platform/ui/States.tsx';
import type { Item } from './MeetingItem.tsx';
import { Month } from './Month.tsx';
import { addressWith, atToday, inView, neighbours, onDay, type Shown, type View } from './shown.ts';
import { DayStrip, Week } from './Week.tsx';

interface BoardProps {
  path: string;
  search: URLSearchParams;
  shown: Shown;
  today: string;
  items: readonly Item[] | undefined;
  /** The query of the meetings. */
  of: ComponentProps<typeof NotYet>['of'];
  empty: ReactNode;
}

export function Board({ path, search, shown, today, items, of, empty }: BoardProps) {
  const navigate = useNavigate();
  const { previous, next } = neighbours(shown);
  const to = (change: Parameters<typeof addressWith>[2]) => addressWith(path, search, change);
  const swipe = useSwipe((by) => void navigate(by < 0 ? to(next) : to(previous)));
  return (
    <div className="@container">
      <nav aria-label="Calendar" className="calendar-bar">
        <h2 aria-live="polite" className="figures order-1 sm:text-2xl">
          {shown.title}
        </h2>
        <div className="order-2 ml-auto flex items-center gap-1 md:order-0 md:ml-0">
          <Arrow to={to(previous)} icon="left" label={`Previous ${shown.step}`} />
          <Arrow to={to(next)} icon="right" label={`Next ${shown.step}`} />
          <Link
            to={to(atToday(shown, today))}
            preventScrollReset
            className="btn btn-outline btn-sm border-edge ml-1 font-medium"
          >
            Today
          </Link>
        </div>
        <Views shown={shown} to={(view) => to(inView(shown, view, today))} />
      </nav>
      {items ? (
        items.length === 0 ? (
          empty
        ) : shown.view === 'month' ? (
          <Month shown={shown} today={today} items={items} toDay={(day) => to(onDay(shown, day))} />
        ) : (
          <div onTouchStart={swipe.start} onTouchEnd={swipe.end}>
            <DayStrip shown={shown} today={today} items={items} />
            <Week shown={shown} today={today} items={items} />
          </div>
        )
      ) : (
        <NotYet of={of}>
          <Waiting />
        </NotYet>
      )}
    </div>
  );
}

function Arrow({ to, icon, label }: { to: string; icon: 'left' | 'right'; label: string }) {
  return (
    <Link to={to} preventScrollReset aria-label={label} className="btn btn-ghost btn-circle btn-sm">
      <Icon name={icon} className="size-5" />
    </Link>
  );
}

const names: Record<View, string> = { agenda: 'Agenda', week: 'Week', month: 'Month' };

/** Where seven columns would be narrow, as on a phone, a week is an agenda. */
function Views({ shown, to }: { shown: Shown; to: (view: View) => string }) {
  const isAgenda = shown.view !== 'month';
  return (
    <ul aria-label="Views" className="segments order-3 max-md:w-full md:ml-auto">
      {(['agenda', 'week', 'month'] as const).map((view) => {
        const here = view === shown.view;
        return (
          <li key={view} className={`@max-4xl:flex-1 ${view === 'week' ? '@max-4xl:hidden' : ''}`}>
            <Link
              to={to(view)}
              preventScrollReset
              aria-current={here || undefined}
              className={`segment ${here ? 'segment-on' : ''} ${view === 'agenda' && isAgenda ? 'segment-on-narrow' : ''}`}
            >
              {names[view]}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

function Waiting() {
  return (
    <div aria-busy="true" className="grid gap-3 @4xl:grid-cols-7">
      <p className="sr-only">Loading</p>
      {Array.from({ length: 7 }, (_, nth) => (
        <Skeleton key={nth} className={`h-20 @4xl:h-64 ${nth > 3 ? '@max-4xl:hidden' : ''}`} />
      ))}
    </div>
  );
}

/** Far enough sideways, and not while scrolling. */
function useSwipe(onSwipe: (by: number) => void) {
  const from = useRef<{ x: number; y: number } | null>(null);
  return {
    start: ({ touches }: TouchEvent) => {
      const touch = touches[0];
      from.current = touch && touches.length === 1 ? { x: touch.clientX, y: touch.clientY } : null;
    },
    end: ({ changedTouches }: TouchEvent) => {
      const touch = changedTouches[0];
      if (!touch || !from.current) return;
      const by = touch.clientX - from.current.x;
      const down = Math.abs(touch.clientY - from.current.y);
      from.current = null;
      if (Math.abs(by) > 70 && down < 40) onSwipe(by);
    },
  };
}
