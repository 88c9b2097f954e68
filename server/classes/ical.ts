// Meetings as text/calendar (RFC 5545). Pure: no database, no clock. Equal input gives equal bytes,
// so that an ETag means something. Times are instants: only the academy's clock may read one twice.

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
}

interface CalendarFile {
  name: string;
  host: string;
  events: readonly CalendarEvent[];
}

/** RFC 5545 wants a component in every file, and a person may have no meeting. */
const zone = [
  'BEGIN:VTIMEZONE',
  'TZID:UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
];

export function calendarText({ name, host, events }: CalendarFile): string {
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
    ...zone,
    ...events.flatMap((event) => eventLines(event, host)),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

function eventLines(event: CalendarEvent, host: string): string[] {
  const { summary, description, location, url, cancelled } = event;
  const changed = inUtc(event.changedAt);
  return [
    'BEGIN:VEVENT',
    `UID:${event.uid}@${host}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTAMP:${changed}`,
    `LAST-MODIFIED:${changed}`,
    `DTSTART:${inUtc(event.startsAt)}`,
    `DTEND:${inUtc(event.endsAt)}`,
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

const inUtc = (instant: Date) => `${instant.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

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
