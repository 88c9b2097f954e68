// Meetings as text/calendar (RFC 5545). Pure: no database, no clock. Equal input gives equal bytes,
// so that an ETag means something.
import { tzlib_get_ical_block } from 'timezones-ical-library';

export interface CalendarEvent {
  /** The part before the host. It stays the same for as long as the meeting exists. */
  uid: string;
  /** Rises with every change that people are told about. */
  sequence: number;
  changedAt: Date;
  summary: string;
  description: string;
  location: string;
  url: string;
  cancelled: boolean;
  startsAt: Date;
  endsAt: Date;
  starts: string;
  ends: string;
  /** The clocks change around it: its wall clock alone may name two instants, or none. */
  clocksChange: boolean;
}

interface CalendarFile {
  name: string;
  host: string;
  /** Of the academy. Brought in any case: RFC 5545 wants at least one component. */
  zone: string;
  events: readonly CalendarEvent[];
}

export function calendarText({ name, host, zone, events }: CalendarFile): string {
  // The second entry of the answer is not part of the block.
  const [block = ''] = tzlib_get_ical_block(zone);
  // As the block names it: UTC is Etc/UTC there.
  const id = /^TZID:(.+)$/m.exec(block)?.[1]?.trim();
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Rally//Calendar//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${escaped(name)}`,
    `X-WR-CALNAME:${escaped(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...(id ? block.trim().split('\r\n') : []),
    ...events.flatMap((event) => eventLines(event, host, event.clocksChange ? undefined : id)),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

function eventLines(event: CalendarEvent, host: string, zone: string | undefined): string[] {
  const { summary, description, location, url, cancelled } = event;
  const changed = inUtc(event.changedAt);
  /** By wall clock where that names one instant: it follows a later change of the zone. */
  const timeOf = (wallClock: string, instant: Date) =>
    zone ? `;TZID=${zone}:${digits(wallClock)}00` : `:${inUtc(instant)}`;
  return [
    'BEGIN:VEVENT',
    `UID:${event.uid}@${host}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTAMP:${changed}`,
    `LAST-MODIFIED:${changed}`,
    `DTSTART${timeOf(event.starts, event.startsAt)}`,
    `DTEND${timeOf(event.ends, event.endsAt)}`,
    cancelled ? 'STATUS:CANCELLED' : 'STATUS:CONFIRMED',
    // Some programs ignore the status.
    `SUMMARY:${cancelled ? 'Cancelled: ' : ''}${escaped(summary)}`,
    location && `LOCATION:${escaped(location)}`,
    description && `DESCRIPTION:${escaped(description)}`,
    `URL:${url}`,
    // A cancelled meeting takes no time of the day.
    cancelled ? 'TRANSP:TRANSPARENT' : 'TRANSP:OPAQUE',
    'END:VEVENT',
  ].filter(Boolean);
}

const digits = (at: string) => at.replaceAll(/[-:]/g, '');
const inUtc = (instant: Date) => `${digits(instant.toISOString().slice(0, 19))}Z`;

/** TEXT of RFC 5545, section 3.3.11. Control characters are not allowed in it. */
const escaped = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[\p{Cc}--\n]/gv, ' ')
    .replace(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll('\n', '\\n');

const longest = 75;

/** At most 75 octets in a line, without its end. A character is never cut. */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= longest) return line;
  const parts: string[] = [''];
  let left = longest;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (size > left) {
      parts.push('');
      left = longest - 1; // the space in front
    }
    parts[parts.length - 1] += character;
    left -= size;
  }
  return parts.join('\r\n ');
}
