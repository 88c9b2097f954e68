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
  /** The same two as the academy's wall clock shows them: `2027-01-04T16:00`. */
  starts: string;
  ends: string;
  /** The clocks change around it: its wall clock alone may name two instants, or none. */
  clocksChange: boolean;
}

export interface CalendarFile {
  name: string;
  host: string;
  /** Of the academy. Brought in any case: RFC 5545 wants at least one component. */
  zone: string;
  events: readonly CalendarEvent[];
}

export function calendarText({ name, host, zone, events }: CalendarFile): string {
  const clock = zoneOf(zone);
  const write: Write = {
    words: remembered(wordsOf, ({ summary, description, location, url, cancelled }) =>
      [cancelled, url, summary, location, description].join('\0'),
    ),
    stamp: remembered(inUtc, (time) => time.getTime()),
  };
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Rally//Calendar//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    textLine(`NAME:${name}`),
    textLine(`X-WR-CALNAME:${name}`),
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
  ];
  lines.push(...(clock?.block ?? []));
  for (const event of events)
    lines.push(eventText(event, host, event.clocksChange ? null : clock, write));
  lines.push('END:VCALENDAR', '');
  return lines.join('\r\n');
}

/** The meetings of a class have most of these in common: each is made once. */
interface Write {
  words: (event: CalendarEvent) => string;
  stamp: (time: Date) => string;
}

/** Only lines that can be longer than 75 octets are folded. */
function eventText(event: CalendarEvent, host: string, zone: Zone | null, write: Write): string {
  const changed = write.stamp(event.changedAt);
  return `BEGIN:VEVENT\r
${folded(`UID:${event.uid}@${host}`)}\r
SEQUENCE:${event.sequence}\r
DTSTAMP:${changed}\r
LAST-MODIFIED:${changed}\r
DTSTART${timeOf(zone, event.starts, event.startsAt)}\r
DTEND${timeOf(zone, event.ends, event.endsAt)}\r
${write.words(event)}\r
END:VEVENT`;
}

function wordsOf({ summary, description, location, url, cancelled }: CalendarEvent): string {
  const lines = [
    cancelled ? 'STATUS:CANCELLED' : 'STATUS:CONFIRMED',
    // Some programs ignore the status.
    textLine(`SUMMARY:${cancelled ? 'Cancelled: ' : ''}${summary}`),
  ];
  if (location) lines.push(textLine(`LOCATION:${location}`));
  if (description) lines.push(textLine(`DESCRIPTION:${description}`));
  // A cancelled meeting takes no time of the day.
  lines.push(folded(`URL:${url}`), cancelled ? 'TRANSP:TRANSPARENT' : 'TRANSP:OPAQUE');
  return lines.join('\r\n');
}

const textLine = (line: string) => folded(escaped(line));

function remembered<Input, Output>(
  compute: (input: Input) => Output,
  keyOf: (input: Input) => string | number,
): (input: Input) => Output {
  const known = new Map<string | number, Output>();
  return (input) => {
    const key = keyOf(input);
    const found = known.get(key) ?? compute(input);
    known.set(key, found);
    return found;
  };
}

/**
 * By wall clock and zone where that names one instant, so that the event follows a later change of
 * the zone's rules. Otherwise in UTC.
 */
const timeOf = (zone: Zone | null, wallClock: string, instant: Date) =>
  zone ? `;TZID=${zone.id}:${digits(wallClock)}00` : `:${inUtc(instant)}`;

interface Zone {
  /** As the block names it: UTC is Etc/UTC there. */
  id: string;
  /** Its lines, folded. */
  block: string[];
}
const zones = new Map<string, Zone | null>();

function zoneOf(name: string): Zone | null {
  const known = zones.get(name);
  if (known !== undefined) return known;
  // The second entry of the answer is not part of the block.
  const [block = ''] = tzlib_get_ical_block(name);
  const id = /^TZID:(.+)$/m.exec(block)?.[1]?.trim();
  const zone = id === undefined ? null : { id, block: block.trim().split('\r\n').map(folded) };
  zones.set(name, zone);
  return zone;
}

/** `2027-01-04T16:00` as `20270104T1600`. */
const digits = (at: string) => at.slice(0, 4) + at.slice(5, 7) + at.slice(8, 13) + at.slice(14, 16);

function inUtc(instant: Date): string {
  const at = instant.toISOString();
  return `${digits(at)}${at.slice(17, 19)}Z`;
}

/** TEXT of RFC 5545, section 3.3.11. Control characters are not allowed in it. */
const escaped = (text: string) =>
  /[\\;,\p{Cc}]/u.test(text)
    ? text
        .replace(/\r\n?/g, '\n')
        .replace(/[\p{Cc}--\n]/gv, ' ')
        .replace(/[\\;,]/g, (character) => `\\${character}`)
        .replaceAll('\n', '\\n')
    : text;

const longest = 75;

/** At most 75 octets in a line, without its end. A character is never cut. */
function folded(line: string): string {
  // A unit of UTF-16 is three octets at most.
  if (line.length <= longest / 3) return line;
  const length = Buffer.byteLength(line);
  if (length <= longest) return line;
  // ASCII, as most lines are: every character is one octet.
  if (length === line.length) {
    let text = line.slice(0, longest);
    for (let at = longest; at < length; at += longest - 1)
      text += `\r\n ${line.slice(at, at + longest - 1)}`;
    return text;
  }
  const parts: string[] = [''];
  let room = longest;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (size > room) {
      parts.push('');
      room = longest - 1; // the space in front
    }
    parts[parts.length - 1] += character;
    room -= size;
  }
  return parts.join('\r\n ');
}
