// The dates of a class: the next five, and all of them on demand. Works without JavaScript.
import { useState } from 'react';
import { address } from '../../../contract/platform/call.ts';
import type { ClassDetail } from '../../../contract/classes/classes.ts';
import { classCalendar } from '../../../contract/classes/feeds.ts';
import type { ClassMeeting } from '../../../contract/classes/meetings.ts';
import { useSettings } from '../../platform/api/query.ts';
import { dayName, zoneInWords } from '../../platform/ui/dates.ts';
import { useInBrowser } from '../../platform/ui/hydrated.ts';
import { Icon } from '../../platform/ui/Icon.tsx';
import { Section } from './Section.tsx';

const shown = 5;

export function Meetings({ item }: { item: ClassDetail }) {
  const { meetings = [] } = item;
  const [now] = useState(() => new Date().toISOString());
  if (meetings.length === 0) return <WithoutDates schedule={item.schedule} />;
  const next = meetings.filter(({ endsAt }) => endsAt > now).slice(0, shown);
  const first = next.length > 0 ? next : meetings.slice(0, shown);
  const row = (meeting: ClassMeeting) => (
    <Meeting
      key={meeting._id}
      meeting={meeting}
      place={meeting.place === item.place ? '' : meeting.place}
      substitute={meeting.instructorId === item.instructorId ? '' : meeting.instructor}
      past={meeting.endsAt <= now}
    />
  );
  return (
    <Section title="Meetings">
      <Addresses of={first} />
      <div className="group flex flex-col gap-3">
        <ol aria-label="Next meetings" className={`${list} group-has-[details[open]]:hidden`}>
          {first.map(row)}
        </ol>
        {meetings.length > first.length && (
          <details>
            <summary className="btn btn-outline border-base-content/30 list-none font-medium">
              All {meetings.length} meetings
              <Icon name="down" className="size-4 group-has-[details[open]]:rotate-180" />
            </summary>
            <ol aria-label="All meetings" className={`${list} mt-3`}>
              {meetings.map(row)}
            </ol>
          </details>
        )}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {item.status === 'approved' && (
            <a
              href={address(classCalendar, { id: item._id }).path}
              className="btn btn-outline border-base-content/30 font-medium"
            >
              <Icon name="calendar" /> Add to calendar
            </a>
          )}
          <ZoneNote of={meetings} />
        </div>
      </div>
    </Section>
  );
}

function Addresses({ of }: { of: readonly ClassMeeting[] }) {
  const found = of.flatMap(({ place, address }) => (address ? [`${place}: ${address}`] : []));
  if (found.length === 0) return null;
  return (
    <ul className="muted mb-3">
      {[...new Set(found)].map((words) => (
        <li key={words} className="flex items-start gap-2">
          <Icon name="pin" className="mt-1 size-4 shrink-0" />
          <span className="wrap-anywhere">{words}</span>
        </li>
      ))}
    </ul>
  );
}

const list =
  'bg-base-100 border-base-300/70 rounded-box figures divide-base-300/70 divide-y border';

function WithoutDates({ schedule }: { schedule: string }) {
  return (
    <Section title="Meetings">
      <p>Dates will follow.</p>
      {schedule && <p className="muted mt-1">Planned: {schedule}</p>}
    </Section>
  );
}

interface MeetingProps {
  meeting: ClassMeeting;
  /** Only where it is not the place of the whole class. */
  place: string;
  substitute: string;
  past: boolean;
}

function Meeting({ meeting, place, substitute, past }: MeetingProps) {
  const { day, starts, ends, state, told } = meeting;
  const cancelled = state === 'cancelled';
  const When = cancelled ? 's' : 'span';
  const more = [place, substitute && `with ${substitute}`].filter(Boolean).join(' · ');
  return (
    <li className={`px-4 py-2.5 ${past || cancelled ? 'muted' : ''}`}>
      <div className="flex flex-wrap items-baseline gap-x-4">
        <When className="flex gap-x-4">
          <time dateTime={meeting.startsAt} className="min-w-28 font-medium">
            {dayName(day)}
          </time>
          <span>
            {starts}–{ends}
          </span>
        </When>
        {cancelled && <span className="text-error text-sm font-medium">Cancelled</span>}
        {more && !cancelled && <span className="muted text-sm">{more}</span>}
      </div>
      {told && <p className="text-sm wrap-anywhere">{told}</p>}
    </li>
  );
}

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
