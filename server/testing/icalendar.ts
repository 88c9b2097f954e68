// Reads text/calendar with an implementation that is not ours, for tests.
import ICAL from 'ical.js';

const text = (component: ICAL.Component, name: string) =>
  component.getFirstPropertyValue(name)?.toString() ?? null;

function instant(time: ICAL.Time): string {
  // A zone that the file does not bring would be read as floating time.
  if (time.zone === ICAL.Timezone.localTimezone) throw new Error(`${time.toString()} has no zone`);
  return time.toJSDate().toISOString();
}

export function readCalendar(written: string) {
  const root = new ICAL.Component(ICAL.parse(written));
  ICAL.TimezoneService.reset();
  for (const zone of root.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
  const events = root.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component);
    return {
      uid: event.uid,
      sequence: Number(text(component, 'sequence')),
      status: text(component, 'status') ?? '',
      summary: event.summary,
      location: text(component, 'location'),
      description: text(component, 'description'),
      url: text(component, 'url') ?? '',
      stamp: text(component, 'dtstamp') ?? '',
      startsAt: instant(event.startDate),
      endsAt: instant(event.endDate),
    };
  });
  // A property that the parser does not know: it leaves the escapes.
  const name = text(root, 'x-wr-calname')?.replace(/\\([\\;,])/g, '$1') ?? null;
  return { name, events };
}
