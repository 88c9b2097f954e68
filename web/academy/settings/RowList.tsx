// A list of a form whose rows are added, moved and removed.
import type { ReactNode } from 'react';
import { Button } from '../../platform/ui/Button.tsx';
import { Icon } from '../../platform/ui/Icon.tsx';
import * as icons from '../../platform/ui/dashboardicons.ts';

interface List {
  fields: readonly { id: string }[];
  move: (from: number, to: number) => void;
  remove: (at: number) => void;
}

interface RowListProps {
  one: string;
  list: List;
  most: number;
  onAdd: () => void;
  children: (at: number) => ReactNode;
}

export function RowList({ one, list, most, onAdd, children }: RowListProps) {
  return (
    <>
      {list.fields.length > 0 && (
        <ol className="divide-base-300 flex flex-col divide-y">
          {list.fields.map(({ id }, at) => (
            <li key={id} className="flex flex-col gap-3 py-4 first:pt-0">
              <div className="flex items-center justify-between gap-2">
                <p className="font-semibold first-letter:uppercase">
                  {one} {at + 1}
                </p>
                <ListTools what={`${one} ${at + 1}`} at={at} list={list} />
              </div>
              {children(at)}
            </li>
          ))}
        </ol>
      )}
      <AddRow one={one} list={list} most={most} onAdd={onAdd} />
    </>
  );
}

export function AddRow({ one, list, most, onAdd }: Omit<RowListProps, 'children'>) {
  if (list.fields.length >= most) return null;
  return (
    <Button look="outline" className="self-start max-sm:w-full" onClick={onAdd}>
      <Icon name={icons.plus} /> Add a {one}
    </Button>
  );
}

interface ListToolsProps {
  what: string;
  at: number;
  list: List;
  stays?: string | undefined;
}

export function ListTools({ what, at, list, stays }: ListToolsProps) {
  const button = { type: 'button', className: 'btn btn-ghost btn-square size-11' } as const;
  return (
    <div className="flex shrink-0">
      <button
        {...button}
        aria-label={`Move ${what} up`}
        disabled={at === 0}
        onClick={() => list.move(at, at - 1)}
      >
        <Icon name={icons.up} className="size-5" />
      </button>
      <button
        {...button}
        aria-label={`Move ${what} down`}
        disabled={at === list.fields.length - 1}
        onClick={() => list.move(at, at + 1)}
      >
        <Icon name="down" className="size-5" />
      </button>
      <button
        {...button}
        aria-label={stays ? `${what} cannot be removed: ${stays}` : `Remove ${what}`}
        title={stays}
        disabled={stays !== undefined}
        onClick={() => list.remove(at)}
      >
        <Icon name="x" className="size-5" />
      </button>
    </div>
  );
}
