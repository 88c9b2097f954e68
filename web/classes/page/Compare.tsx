// The class of the page beside the one that was looked at before, fact by fact.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ClassDetail, getClass } from '../../../contract/classes/classes.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { Sheet } from '../../platform/ui/Sheet.tsx';
import { shortMoney } from '../../platform/ui/money.ts';
import { factsOf, glanceAt } from '../ClassFacts.tsx';

export function Compare({ item }: { item: ClassDetail }) {
  const [open, setOpen] = useState(false);
  const other = useSeenBefore(item);
  if (!other) return null;
  return (
    <div>
      <Button look="outline" onClick={() => setOpen(true)}>
        Compare with {other.name}
      </Button>
      {open && (
        <Sheet title="Compare" onClose={() => setOpen(false)}>
          <Facts of={[item, other]} />
        </Sheet>
      )}
    </div>
  );
}

/** What was read of other classes is kept for a few minutes. */
function useSeenBefore({ _id }: ClassDetail): ClassDetail | undefined {
  const seen = useQueryClient()
    .getQueryCache()
    .findAll({ queryKey: [getClass.id] });
  const last = seen.toSorted((one, two) => two.state.dataUpdatedAt - one.state.dataUpdatedAt);
  return last
    .map(({ state }) => state.data as ClassDetail | undefined)
    .find((found) => found && found._id !== _id);
}

function Facts({ of }: { of: readonly ClassDetail[] }) {
  const columns = of.map((item) => [
    { label: 'Class', value: item.name },
    { label: 'Price', value: shortMoney(item.price) },
    { label: 'Available Seats', value: String(Math.max(0, item.seat)) },
    { label: 'Dates', value: glanceAt(item) },
    ...factsOf(item),
    { label: 'Instructor', value: item.instructor },
  ]);
  return (
    <dl className="figures flex flex-col gap-3 overflow-y-auto">
      {columns[0]?.map(({ label }, nth) => {
        const values = columns.map((column) => column[nth]?.value);
        if (!values.some(Boolean)) return null;
        return (
          <div key={label} className="grid grid-cols-2 gap-x-4">
            <dt className="meta col-span-2">{label}</dt>
            {of.map(({ _id }, which) => (
              <dd key={_id} className="font-medium wrap-anywhere">
                {values[which] || '–'}
              </dd>
            ))}
          </div>
        );
      })}
    </dl>
  );
}
