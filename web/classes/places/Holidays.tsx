// The days on which the academy is closed. Meetings planned on them stay, so they are listed here.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Closure, listClosures, removeClosure } from '../../../contract/classes/places.ts';
import { attempt } from '../../platform/api/attempt.ts';
import { query, useCall, useSettings } from '../../platform/api/query.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { Icon } from '../../platform/ui/Icon.tsx';
import { ErrorNote, Skeleton } from '../../platform/ui/States.tsx';
import { ask } from '../../platform/ui/alert.ts';
import * as icons from '../../platform/ui/dashboardicons.ts';
import { dayName, todayIn } from '../../platform/ui/dates.ts';
import { keepFocus } from '../../platform/ui/focus.ts';
import { onDemand } from '../../platform/ui/onDemand.tsx';
import { MeetingsOn } from './MeetingsOn.tsx';

const HolidayDialog = onDemand(() => import('./HolidayDialog.tsx').then((m) => m.HolidayDialog));

export function Holidays() {
  const { data, error, refetch } = useQuery(query(listClosures, {}));
  const [isAdding, setAdding] = useState(false);
  const today = todayIn(useSettings().timeZone);
  const coming = data?.filter(({ lastDay }) => lastDay >= today);
  return (
    <section aria-labelledby="holidays" className="mt-10">
      <div className="mb-3 flex flex-wrap items-end justify-between gap-3">
        <div>
          <h2 id="holidays" tabIndex={-1} className="text-lg">
            Holidays
          </h2>
          <p className="muted text-sm">
            Instructors who fill in dates by the week skip these days.
          </p>
        </div>
        <Button look="outline" onClick={() => setAdding(true)}>
          <Icon name={icons.plus} /> Add a holiday
        </Button>
      </div>
      {error ? (
        <ErrorNote message={error.message} onRetry={() => void refetch()} />
      ) : !coming ? (
        <Skeleton className="h-20" />
      ) : coming.length === 0 ? (
        <p className="muted border-base-300 rounded-box border border-dashed p-5">
          No holiday is planned.
        </p>
      ) : (
        <ul className="border-base-300 bg-base-100 divide-base-300 rounded-box divide-y border">
          {coming.map((closure) => (
            <Holiday key={closure._id} closure={closure} today={today} />
          ))}
        </ul>
      )}
      {isAdding && <HolidayDialog today={today} onClose={() => setAdding(false)} />}
    </section>
  );
}

export const daysInWords = ({ firstDay, lastDay }: Pick<Closure, 'firstDay' | 'lastDay'>) =>
  firstDay === lastDay ? dayName(firstDay) : `${dayName(firstDay)} – ${dayName(lastDay)}`;

function Holiday({ closure, today }: { closure: Closure; today: string }) {
  const { _id, name, firstDay, lastDay } = closure;
  const remove = useCall(removeClosure);
  const onRemove = async (button: Element) => {
    if (!(await ask({ title: `Remove ${name}?`, yes: 'Remove', danger: true }))) return;
    await attempt(
      () => keepFocus(button, () => remove.mutateAsync({ id: _id })),
      'Holiday removed',
      'Nothing was removed',
    );
  };
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-1 py-2 pr-2 pl-4">
      <div className="min-w-0 flex-1 py-1.5">
        <p className="font-semibold wrap-anywhere">{name}</p>
        <p className="muted figures text-sm">{daysInWords(closure)}</p>
        <MeetingsOn from={firstDay < today ? today : firstDay} to={lastDay} />
      </div>
      <Button
        look="plain"
        className="min-h-11"
        busy={remove.isPending}
        aria-label={`Remove: ${name}`}
        onClick={({ currentTarget }) => void onRemove(currentTarget)}
      >
        Remove
      </Button>
    </li>
  );
}
