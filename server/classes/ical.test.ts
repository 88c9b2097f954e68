import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCalendar } from '../testing/icalendar.ts';
import { type CalendarEvent, calendarText } from './ical.ts';

const event: CalendarEvent = {
  uid: 'a.b',
  sequence: 2,
  changedAt: new Date('2026-11-01T10:00:00.123Z'),
  summary: 'Tennis',
  description: 'Bring: a racket',
  location: 'Court 1',
  url: 'https://rally.example/classes/1',
  cancelled: false,
  startsAt: new Date('2027-07-05T15:00:00Z'),
  endsAt: new Date('2027-07-05T16:30:00Z'),
};
const file = (...events: Partial<CalendarEvent>[]) =>
  calendarText({
    name: 'Rally',
    host: 'rally.example',
    events: events.map((given) => Object.assign({}, event, given)),
  });
const read = (...events: Partial<CalendarEvent>[]) => readCalendar(file(...events)).events;

describe('a calendar file', () => {
  test('writes each line of an event, in UTC', () => {
    expect(file({})).toContain('\r\nDTSTART:20270705T150000Z\r\nDTEND:20270705T163000Z\r\n');
    expect(read({})).toEqual([
      {
        uid: 'a.b@rally.example',
        sequence: 2,
        status: 'CONFIRMED',
        summary: 'Tennis',
        location: 'Court 1',
        description: 'Bring: a racket',
        url: 'https://rally.example/classes/1',
        stamp: '2026-11-01T10:00:00Z',
        startsAt: '2027-07-05T15:00:00.000Z',
        endsAt: '2027-07-05T16:30:00.000Z',
      },
    ]);
  });

  test('says of a cancelled meeting so in the status and in the name', () => {
    const [only] = read({ cancelled: true });
    expect(only).toMatchObject({ status: 'CANCELLED', summary: 'Cancelled: Tennis' });
  });

  test('has a component even without a meeting', () => {
    expect(file()).toContain('\r\nBEGIN:VTIMEZONE\r\nTZID:UTC\r\n');
    expect(readCalendar(file()).events).toEqual([]);
  });

  test('carries any text unchanged, in lines of at most 75 octets', () => {
    const words = fc.string({ unit: 'grapheme', maxLength: 300 }).map((text) =>
      text
        .toWellFormed()
        .replace(/[\p{Cc}--\n]/gv, '-')
        .trim(),
    );
    fc.assert(
      fc.property(words, words, words, (summary, location, description) => {
        const written = file({ summary, location, description });
        for (const line of written.split('\r\n')) {
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
          expect(line).toBe(Buffer.from(line).toString());
          expect(line).not.toMatch(/[\r\n]/);
        }
        expect(readCalendar(written).events).toEqual([
          expect.objectContaining({
            summary,
            location: location || null,
            description: description || null,
          }),
        ]);
      }),
      { numRuns: 25 },
    );
  });

  test('lets no text add a property of its own', () => {
    const [only, ...more] = read({
      summary: 'Tennis\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:evil',
      location: 'Court\u2028STATUS:CANCELLED\u0007',
    });
    expect(more).toEqual([]);
    expect(only).toMatchObject({ uid: 'a.b@rally.example', status: 'CONFIRMED' });
  });
});
