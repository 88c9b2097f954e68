// One person of a roll call: a tap marks present, the next one absent; a long press opens the rest.
import { type PointerEvent, type ReactNode, useRef } from 'react';
import type { MarkStatus } from '../../../contract/rollcall/marks.ts';
import type { Row } from '../rows.ts';
import { type AnyIcon, Icon } from '../../platform/ui/Icon.tsx';
import { clockOf } from '../../platform/ui/dates.ts';
import * as dashboard from '../../platform/ui/dashboardicons.ts';
import { more } from './icons.ts';
import { capital } from '../../platform/ui/locale.ts';
import { badgeOf } from './words.ts';

/** Filled: read in the sun, and by shape for those who do not see the colours. */
const looks: Record<MarkStatus, readonly [icon: AnyIcon, edge: string, fill: string]> = {
  present: ['check', 'border-success', 'bg-success text-success-content'],
  late: ['clock', 'border-warning', 'bg-warning text-warning-content'],
  absent: ['x', 'border-error', 'bg-error text-error-content'],
  excused: [dashboard.mail, 'border-info', 'bg-info text-info-content'],
  left: [dashboard.logout, 'border-neutral', 'bg-neutral text-neutral-content'],
};

interface PersonRowProps {
  row: Row;
  meId: string;
  /** Stored right now: a second tap does not count. */
  busy: boolean;
  readOnly: boolean;
  note: string | undefined;
  onTap: () => void;
  onMore: () => void;
  onCare: () => void;
}

export function PersonRow(props: PersonRowProps) {
  const { row, meId, busy, readOnly, note, onTap, onMore, onCare } = props;
  const { name, person, mark, differing, waits, lost } = row;
  const badge = badgeOf(person?.care);
  const press = useLongPress(onMore, onTap);
  const status = mark?.status;
  const [icon, edge, fill] = status ? looks[status] : [];
  return (
    <li className={`rounded-box border-2 bg-base-100 ${edge ?? 'border-base-300'}`}>
      <div className="flex items-stretch">
        <button
          type="button"
          {...press}
          disabled={readOnly}
          aria-busy={busy}
          aria-pressed={status === 'present'}
          className="flex min-h-18 min-w-0 flex-1 touch-manipulation items-center gap-3 rounded-box py-2 pl-3 text-left select-none not-disabled:cursor-pointer"
        >
          <span
            className={`grid size-11 shrink-0 place-items-center rounded-full border-2 ${fill ? `${edge} ${fill}` : 'border-edge'}`}
          >
            {icon && <Icon name={icon} className="size-6" stroke={2.75} />}
          </span>
          <span className="min-w-0 flex-1">
            <span className="block text-lg leading-tight font-semibold wrap-anywhere">{name}</span>
            <span className="figures flex flex-wrap items-center gap-x-2 text-sm">
              {person && person.age !== null && <span>{person.age} years</span>}
              {!person && <span>Walk-in</span>}
              {person?.new && <span className="meta">first time</span>}
              {mark && (
                <span className="font-medium">
                  {capital(mark.status)} {clockOf(mark.at)}
                  {waits && <span className="muted font-normal"> · not sent</span>}
                  {mark.byId !== meId && (
                    <span className="muted font-normal"> · {mark.by || 'Deleted account'}</span>
                  )}
                </span>
              )}
            </span>
            {mark?.note && <span className="block text-sm wrap-anywhere">{mark.note}</span>}
            {note && (
              <span className="block text-sm wrap-anywhere">
                <span className="muted">Note, saved with the next status: </span>
                {note}
              </span>
            )}
          </span>
        </button>
        <button
          type="button"
          className="grid w-13 shrink-0 cursor-pointer place-items-center rounded-box"
          aria-label={`More for ${name}`}
          onClick={onMore}
        >
          <Icon name={more} className="size-6" />
        </button>
      </div>
      {badge && (
        <button
          type="button"
          onClick={onCare}
          className={`flex min-h-11 w-full cursor-pointer items-center gap-2 rounded-b-[calc(var(--radius-box)-2px)] px-4 py-2 text-left font-semibold ${badge.severe ? 'bg-error text-error-content' : 'bg-base-300'}`}
        >
          <Icon name={badge.severe ? 'alert' : 'info'} className="size-5 shrink-0" stroke={2.25} />
          <span className="min-w-0 flex-1 whitespace-pre-line wrap-anywhere">{badge.text}</span>
          <span className="sr-only">: allergies and contacts of {name}</span>
          <Icon name="right" className="size-4 shrink-0" />
        </button>
      )}
      {mark && lost && (
        <Said icon="info">
          Changed on another phone by {mark.byId === meId ? 'you' : mark.by || 'a deleted account'},{' '}
          {clockOf(mark.at)}. Here it was {lost.status} {clockOf(lost.at)}.
        </Said>
      )}
      {/* Two coaches marked one person: both are named until one of them marks again. */}
      {differing.length > 0 && !lost && (
        <Said icon="users">
          {differing
            .map(({ by, status, at }) => `${by || 'Deleted account'}: ${status} ${clockOf(at)}`)
            .join(' · ')}
        </Said>
      )}
    </li>
  );
}

function Said({ icon, children }: { icon: AnyIcon; children: ReactNode }) {
  return (
    <p className="flex items-start gap-2 border-t border-base-300 px-4 py-2 text-sm font-medium">
      <Icon name={icon} className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  );
}

const longPress = 500;

/** A click that ends a long press is none. The keyboard clicks without a pointer. */
function useLongPress(onLong: () => void, onShort: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const wasLong = useRef(false);
  const end = () => clearTimeout(timer.current);
  return {
    onPointerDown: ({ button }: PointerEvent) => {
      wasLong.current = false;
      if (button === 0)
        timer.current = setTimeout(() => {
          wasLong.current = true;
          onLong();
        }, longPress);
    },
    onPointerUp: end,
    onPointerLeave: end,
    onPointerCancel: end,
    // The phone's own menu of a long press.
    onContextMenu: (event: { preventDefault: () => void }) => event.preventDefault(),
    onClick: () => {
      end();
      if (!wasLong.current) onShort();
      wasLong.current = false;
    },
  };
}
