// The dates of a class: the next five, and all of them on demand. Works without JavaScript.
import { address } from '../../../contract/platform/call.ts';
import type { ClassDetail } from '../../../contract/classes/classes.ts';
import { classCalendar } from '../../../contract/classes/feeds.ts';
import type { ClassMeeting } from '../../../contract/classes/meetings.ts';
import { useSettings } from '../../platform/api/query.ts';
import { dayName, zoneInWords } from '../../platform/ui/dates.ts';
import { useInBrowser } from '../../platform/ui/hydrated.ts';
import { Icon } from '../../platform/ui/Icon.tsx';
import { Slot } from '../../platform/ui/Line.tsx';
import { endOf, type Placed, placed, useNow } from '../../platform/ui/slots.ts';
import { MapLink } from '../ClassFacts.tsx';
import { Section } from './Section.tsx';

const shown = 5;

export function Meetings({ item }: { item: ClassDetail }) {
  const now = useNow();
  const all = placed(item.meetings ?? [], now);
  if (all.length === 0) return <WithoutDates schedule={item.schedule} />;
  const next = all.filter(({ row }) => endOf(row) > now).slice(0, shown);
  const first = next.length > 0 ? next : all.slice(0, shown);
  const slot = ({ row, standing, ball }: Placed<ClassMeeting>) => {
    const { _id, day, starts, ends, told, place, instructorId, instructor } = row;
    return (
      <Slot
        key={_id}
        {...{ starts, ends, standing, ball }}
        title={dayName(day)}
        meta={[
          place !== item.place && place,
          instructorId !== item.instructorId && `with ${instructor}`,
        ]}
        says={standing === 'cancelled' && told ? `Cancelled: ${told}` : told}
      />
    );
  };
  return (
    <Section title="Meetings">
      <Addresses of={first.map(({ row }) => row)} />
      <div className="group flex flex-col gap-3">
        <ol aria-label="Next meetings" className="group-has-[details[open]]:hidden">
          {first.map(slot)}
        </ol>
        {all.length > first.length && (
          <details>
            <summary className="btn btn-outline border-edge list-none font-medium">
              All {all.length} meetings
              <Icon name="down" className="size-4 group-has-[details[open]]:rotate-180" />
            </summary>
            <ol aria-label="All meetings" className="mt-3">
              {all.map(slot)}
            </ol>
          </details>
        )}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {item.status === 'approved' && (
            <a
              href={address(classCalendar, { id: item._id }).path}
              className="btn btn-outline border-edge font-medium"
            >
              <Icon name="calendar" /> Add to calendar
            </a>
          )}
          <ZoneNote of={all.map(({ row }) => row)} />
        </div>
      </div>
    </Section>
  );
}

function Addresses({ of }: { of: readonly ClassMeeting[] }) {
  const places = new Map(of.map(({ place, address: where }) => [place, where]));
  return (
    <ul className="mb-3 empty:hidden">
      {[...places].map(
        ([place, where]) =>
          where && (
            <li key={place} className="muted flex items-start gap-2">
              <Icon name="pin" className="mt-1 size-4 shrink-0" />
              <MapLink to={where}>{`${place}: ${where}`}</MapLink>
            </li>
          ),
      )}
    </ul>
  );
}

const WithoutDates = ({ schedule }: { schedule: string }) => (
  <Section title="Meetings">
    <p>Dates will follow.</p>
    {schedule && <p className="muted mt-1">Planned: {schedule}</p>}
  </Section>
);

/** Whether the reader's clock shows another time. Intl would know too: its first use takes 30 ms. */
const isElsewhere = ({ day, starts, startsAt }: ClassMeeting) =>
  Date.parse(`${day}T${starts}`) !== Date.parse(startsAt);

/** Times are those of the academy's clock. A reader elsewhere is told so. */
function ZoneNote({ of }: { of: readonly ClassMeeting[] }) {
  const { timeZone } = useSettings();
  const elsewhere = useInBrowser(() => of.some(isElsewhere), false);
  if (!elsewhere) return null;
  return <p className="muted text-sm">Times are {zoneInWords(timeZone)}.</p>;
}
