// A list of a form whose rows are added, moved and removed.
import type { ReactNode } from 'react';
import { Button } from '../../platform/ui/Button.tsx';
import { Icon } from '../../platform/ui/Icon.tsx';
import * as icons from '../../platform/ui/dashboardicons.ts';
import { ListTools } from './ListTools.tsx';

interface List {
  /** What a row is: 'question'. */
  one: string;
  /** Of react-hook-form's useFieldArray. */
  list: {
    fields: readonly unknown[];
    move: (from: number, to: number) => void;
    remove: (at: number) => void;
  };
}

interface RowListProps extends List {
  most: number;
  onAdd: () => void;
  children: readonly ReactNode[];
}

export function RowList({ one, list, most, onAdd, children }: RowListProps) {
  return (
    <>
      {children.length > 0 && (
        <ol className="divide-base-300 flex flex-col divide-y">{children}</ol>
      )}
      {list.fields.length < most && (
        <Button look="outline" className="self-start max-sm:w-full" onClick={onAdd}>
          <Icon name={icons.plus} /> Add a {one}
        </Button>
      )}
    </>
  );
}

interface RowProps extends List {
  at: number;
  children: ReactNode;
}

export function Row({ one, list, at, children }: RowProps) {
  const what = `${one} ${at + 1}`;
  return (
    <li className="flex flex-col gap-3 py-4 first:pt-0">
      <div className="flex items-center justify-between gap-2">
        <p className="font-semibold first-letter:uppercase">{what}</p>
        <ListTools
          what={what}
          at={at}
          last={list.fields.length - 1}
          move={list.move}
          remove={list.remove}
        />
      </div>
      {children}
    </li>
  );
}
