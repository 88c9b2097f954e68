// Answers the classes with dates that are on sale, each with its meetings, for the family planner.
import type { Services } from '../platform/services.ts';
import { listPlans, mostPlanned, type PlannedClass } from '../../contract/classes/plans.ts';
import { dollars } from '../../contract/platform/rules.ts';
import { query, type RowOf } from '../platform/db/connection.ts';
import { onSale } from '../platform/db/states.ts';
import { today } from '../platform/db/zone.ts';

type Row = RowOf<'class', 'id' | 'priceCents'> &
  Omit<PlannedClass, '_id' | 'price' | 'seat'> & { free: number };

export function plans({ on, db }: Services): void {
  on(
    listPlans,
    async () => {
      const rows = await query<Row>(db)`
        select class.id, class.name, class.sport, class.level, class.price_cents, class.free, class.schedule,
          class.min_age, class.max_age, class.first_day::text as first_day,
          (select coalesce(jsonb_agg(jsonb_build_object('weekday', (kind ->> 0)::int, 'starts', kind ->> 1, 'minutes', (kind ->> 2)::int)), '[]')
            from jsonb_array_elements(class.plan) kind) as week,
          coming.meetings
        from class cross join lateral (
          select jsonb_agg(jsonb_build_object('startsAt', lower(meeting.during), 'minutes', meeting.minutes,
            'place', coalesce(place.name, '')) order by meeting.during) as meetings
          from meeting left join place on place.id = meeting.place_id
          where meeting.class_id = class.id and meeting.state = 'on' and meeting.day >= ${today}) coming
        where class.shelf = 'approved' and class.first_day is not null and coming.meetings is not null and ${onSale}
        order by class.sold desc, class.id limit ${mostPlanned}`;
      return rows.map(present);
    },
    { channels: ['classes', 'seats'], forSignedIn: () => true },
  );
}

const present = ({ id, priceCents, free, meetings, ...row }: Row): PlannedClass => ({
  ...row,
  _id: id,
  price: dollars(priceCents),
  seat: free,
  meetings: meetings.map(({ startsAt, ...meeting }) =>
    Object.assign(meeting, { startsAt: new Date(startsAt).toISOString() }),
  ),
});
