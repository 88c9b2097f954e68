// /dashboard/places: where classes meet, the days on which the academy is closed, and its time zone.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { Link } from 'react-router';
import {
  changePlace,
  listPlaces,
  type Place,
  type Closure,
  listClosures,
  removeClosure,
  addClosure,
  addPlace,
} from '../../../contract/classes/places.ts';
import { query, useCall, useSettings } from '../../platform/api/query.ts';
import { ApiError, readable } from '../../platform/api/send.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { Icon } from '../../platform/ui/Icon.tsx';
import { Modal } from '../../platform/ui/Modal.tsx';
import { PageHeading } from '../../platform/ui/PageHeading.tsx';
import { EmptyState, NotYet, Skeleton } from '../../platform/ui/States.tsx';
import { type Column, Table } from '../../platform/ui/Table.tsx';
import { failure, toast } from '../../platform/ui/alert.ts';
import * as icons from '../../platform/ui/dashboardicons.ts';
import { CallButton } from '../../platform/api/CallButton.tsx';
import { dayName, todayIn } from '../../platform/ui/dates.ts';
import { limits } from '../../../contract/platform/limits.ts';
import { useSendForm } from '../../platform/api/form.ts';
import { Field } from '../../platform/ui/Field.tsx';
import { FormDialog } from '../../platform/ui/FormDialog.tsx';
import {
  allMeetings,
  calendarDays,
  type PlannedMeeting,
} from '../../../contract/classes/calendar.ts';
import { addDays, isDay } from '../../../contract/platform/days.ts';
import { paths } from '../../platform/paths.ts';

export function Places() {
  const places = useQuery(query(listPlaces, {}));
  const [open, setOpen] = useState<Place | 'new' | null>(null);
  const [refused, setRefused] = useState<{ name: string; by: ApiError } | null>(null);
  const change = useCall(changePlace);
  const setClosed = async ({ _id, name }: Place, closed: boolean) => {
    try {
      await change.mutateAsync({ id: _id, closed });
      toast(closed ? `${name} is closed` : `${name} is open again`);
    } catch (error) {
      if (error instanceof ApiError && error.clashes?.length)
        return setRefused({ name, by: error });
      void failure(`${name} stays ${closed ? 'open' : 'closed'}`, readable(error));
    }
  };
  const add = (
    <Button onClick={() => setOpen('new')}>
      <Icon name={icons.plus} /> Add a place
    </Button>
  );

  return (
    <>
      <PageHeading title="Places" actions={places.data?.length ? add : undefined}>
        Where classes meet. Two classes cannot have one place at the same time.
      </PageHeading>
      <Table
        caption="Places"
        columns={columns(setOpen, (place, closed) => void setClosed(place, closed))}
        rows={places.data}
        rowKey={({ _id }) => _id}
        error={places.error}
        onRetry={() => void places.refetch()}
        empty={
          <EmptyState drawing="nothing-scheduled" title="Add your first place" action={add}>
            A court, a hall, a lane of the pool: with places, nobody books one twice.
          </EmptyState>
        }
      />
      <Holidays />
      <TimeZone />
      {refused && (
        <Modal title={`${refused.name} stays open`} onClose={() => setRefused(null)}>
          <p>{refused.by.message}</p>
          <MeetingList
            meetings={(refused.by.clashes ?? []).map(({ with: name, classId = '', ...at }) =>
              Object.assign(at, { name, classId }),
            )}
          />
        </Modal>
      )}
      {open && <PlaceDialog place={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </>
  );
}

const columns = (
  open: (place: Place) => void,
  setClosed: (place: Place, closed: boolean) => void,
): readonly Column<Place>[] => [
  { title: 'Name', part: 'lead', cell: ({ name }) => name },
  {
    title: 'Address',
    long: true,
    cell: ({ address }) => address || <span className="muted">None</span>,
  },
  { title: 'Takes', numeric: true, cell: ({ capacity }) => capacity },
  {
    title: 'State',
    cell: ({ closed }) => (
      <span className={`badge ${closed ? 'badge-neutral' : 'badge-success'}`}>
        {closed ? 'closed' : 'open'}
      </span>
    ),
  },
  {
    title: 'Actions',
    part: 'actions',
    cell: (place) => (
      <>
        <Button size="small" look="outline" of={place.name} onClick={() => open(place)}>
          Change
        </Button>
        <Button
          size="small"
          look="plain"
          of={place.name}
          onClick={() => setClosed(place, !place.closed)}
        >
          {place.closed ? 'Reopen' : 'Close'}
        </Button>
      </>
    ),
  },
];

function TimeZone() {
  const { timeZone } = useSettings();
  return (
    <section aria-labelledby="zone" className="mt-10">
      <h2 id="zone" className="text-lg">
        Time zone
      </h2>
      <p className="mt-1">
        {timeZone.replaceAll('_', ' ')}
        <span className="muted block text-sm">
          All dates and times are those of the clock there.
        </span>
      </p>
    </section>
  );
}

function Holidays() {
  const closures = useQuery(query(listClosures, {}));
  const [isAdding, setAdding] = useState(false);
  const today = todayIn(useSettings().timeZone);
  const coming = closures.data?.filter(({ lastDay }) => lastDay >= today);
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
      <NotYet of={closures}>
        <Skeleton className="h-20" />
      </NotYet>
      {coming?.length === 0 && <p className="muted">No holiday is planned.</p>}
      {coming && coming.length > 0 && (
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

const daysInWords = ({ firstDay, lastDay }: Pick<Closure, 'firstDay' | 'lastDay'>) =>
  firstDay === lastDay ? dayName(firstDay) : `${dayName(firstDay)} – ${dayName(lastDay)}`;

function Holiday({ closure, today }: { closure: Closure; today: string }) {
  const { _id, name, firstDay, lastDay } = closure;
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-1 py-2 pr-2 pl-4">
      <div className="min-w-0 flex-1 py-1.5">
        <p className="font-semibold wrap-anywhere">{name}</p>
        <p className="muted figures text-sm">{daysInWords(closure)}</p>
        <MeetingsOn from={firstDay < today ? today : firstDay} to={lastDay} />
      </div>
      <CallButton
        look="plain"
        className="min-h-11"
        of={name}
        call={removeClosure}
        input={{ id: _id }}
        sure={{ title: `Remove ${name}?`, yes: 'Remove', danger: true }}
        said="Holiday removed"
        refused="Nothing was removed"
      >
        Remove
      </CallButton>
    </li>
  );
}

function HolidayDialog({ today, onClose }: { today: string; onClose: () => void }) {
  const add = useCall(addClosure);
  const form = useSendForm({
    defaultValues: { name: '', firstDay: '', lastDay: '' },
    send: ({ lastDay, ...values }) =>
      add.mutateAsync({ ...values, lastDay: lastDay || values.firstDay }),
    onClose,
    sent: 'Holiday added',
  });
  const { firstDay = '', lastDay = '' } = useWatch({ control: form.form.control });
  return (
    <FormDialog title="Add a holiday" form={form} submit="Add" onClose={onClose}>
      <Field
        label="Name"
        required
        data-focus-first
        maxLength={limits.name}
        placeholder="Christmas holiday"
        {...form.field('name')}
      />
      <div className="grid gap-4 min-[22rem]:grid-cols-2">
        <Field
          label="First day"
          type="date"
          required
          min={today}
          className="min-h-11"
          {...form.field('firstDay')}
        />
        <Field
          label="Last day"
          type="date"
          min={firstDay || today}
          className="min-h-11"
          hint="Empty: one day."
          {...form.field('lastDay')}
        />
      </div>
      <MeetingsOn from={firstDay} to={lastDay || firstDay} />
    </FormDialog>
  );
}

/** A longer holiday is looked at for its first 42 days. */
const cut = (from: string, to: string) => {
  const last = addDays(from, calendarDays - 1);
  return to < last ? to : last;
};

function MeetingsOn({ from, to }: { from: string; to: string }) {
  const isRange = isDay(from) && isDay(to) && from <= to;
  const { data } = useQuery({
    ...query(allMeetings, { from, to: isRange ? cut(from, to) : to }),
    enabled: isRange,
  });
  const planned = isRange ? (data ?? []).filter(({ state }) => state !== 'cancelled') : [];
  if (planned.length === 0) return null;
  const count = planned.length === 1 ? '1 meeting is' : `${planned.length} meetings are`;
  return (
    <details className="mt-1 text-sm">
      <summary className="text-warning flex min-h-8 w-fit cursor-pointer items-center gap-2 font-medium">
        <Icon name="alert" className="size-4 shrink-0" />
        {count} planned on these days
      </summary>
      <MeetingList meetings={planned} />
    </details>
  );
}

type Listed = Pick<PlannedMeeting, 'classId' | 'name' | 'day' | 'starts'> & { place?: string };

const MeetingList = ({ meetings }: { meetings: readonly Listed[] }) => (
  <ul className="mt-1 flex max-h-72 flex-col gap-1 overflow-y-auto">
    {meetings.map(({ classId, name, day, starts, place }) => (
      <li key={`${classId} ${day} ${starts}`} className="figures flex flex-wrap gap-x-3">
        <span className="whitespace-nowrap">
          {dayName(day)}, {starts}
        </span>
        <Link to={paths.dashboard.review(classId)} className="link wrap-anywhere">
          {name}
        </Link>
        {place && <span className="muted">{place}</span>}
      </li>
    ))}
  </ul>
);

function PlaceDialog({ place, onClose }: { place: Place | null; onClose: () => void }) {
  const add = useCall(addPlace);
  const change = useCall(changePlace);
  const form = useSendForm({
    defaultValues: {
      name: place?.name ?? '',
      address: place?.address ?? '',
      capacity: place ? String(place.capacity) : '',
    },
    send: async (typed) => {
      const values = { ...typed, capacity: Number(typed.capacity) };
      await (place ? change.mutateAsync({ id: place._id, ...values }) : add.mutateAsync(values));
    },
    onClose,
    sent: place ? 'Place changed' : 'Place added',
  });
  return (
    <FormDialog
      title={place ? `Change ${place.name}` : 'Add a place'}
      form={form}
      submit={place ? 'Save' : 'Add'}
      onClose={onClose}
    >
      <Field
        label="Name"
        required
        data-focus-first
        maxLength={limits.name}
        placeholder="Court 1"
        {...form.field('name')}
      />
      <Field
        label="Address"
        maxLength={200}
        placeholder="Rua do Sol 4, Lisbon"
        {...form.field('address')}
      />
      <Field
        label="How many it takes"
        required
        type="number"
        inputMode="numeric"
        min={limits.seats.min}
        max={limits.seats.max}
        placeholder="12"
        {...form.field('capacity')}
      />
    </FormDialog>
  );
}
