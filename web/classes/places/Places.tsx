// /dashboard/places: where classes meet, the days on which the academy is closed, and its time zone.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { changePlace, listPlaces, type Place } from '../../../contract/classes/places.ts';
import { query, useCall, useSettings } from '../../platform/api/query.ts';
import { ApiError, readable } from '../../platform/api/send.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { Icon } from '../../platform/ui/Icon.tsx';
import { Modal } from '../../platform/ui/Modal.tsx';
import { PageHeading } from '../../platform/ui/PageHeading.tsx';
import { EmptyState } from '../../platform/ui/States.tsx';
import { type Column, Table } from '../../platform/ui/Table.tsx';
import { failure, toast } from '../../platform/ui/alert.ts';
import * as icons from '../../platform/ui/dashboardicons.ts';
import { onDemand } from '../../platform/ui/onDemand.tsx';
import { Holidays } from './Holidays.tsx';
import { MeetingList } from './MeetingsOn.tsx';

const PlaceDialog = onDemand(() => import('./PlaceDialog.tsx').then((m) => m.PlaceDialog));

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
      <span className={`badge badge-soft text-xs ${closed ? 'badge-neutral' : 'badge-success'}`}>
        {closed ? 'closed' : 'open'}
      </span>
    ),
  },
  {
    title: 'Actions',
    part: 'actions',
    cell: (place) => (
      <>
        <Button
          size="small"
          look="outline"
          aria-label={`Change: ${place.name}`}
          onClick={() => open(place)}
        >
          Change
        </Button>
        <Button
          size="small"
          look="plain"
          aria-label={`${place.closed ? 'Reopen' : 'Close'}: ${place.name}`}
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
