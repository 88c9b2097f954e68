// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { getClass, type ManagedClass } from '../../../contract/classes/classes.ts';
import { addDays, weekdayOf } from '../../../contract/platform/days.ts';
import { classImpact, type Impact } from '../../../contract/checkout/cancel.ts';
import { checkDates, type ClassMeeting, setDates } from '../../../contract/classes/meetings.ts';
import { listInstructors } from '../../../contract/classes/instructors.ts';
import { listClosures, listPlaces } from '../../../contract/classes/places.ts';
import { settings } from '../../../contract/platform/settings.ts';
import { aMeeting, someSettings } from '../../testing/samples.ts';
import { answers, refuses, show } from '../../testing/screen.tsx';
import { DatesEditor, TellFamilies } from './DatesEditor.tsx';
import { useDates } from './useDates.ts';

const now = new Date().toISOString().slice(0, 10);
/** A Monday in the future. */
const monday = addDays(now, 15 - weekdayOf(now));
const week = (count: number) => addDays(monday, count * 7);

const zone = answers(settings, someSettings);
const places = answers(listPlaces, [
  { _id: 'c1', name: 'Court 1', address: '', capacity: 8, closed: false },
  { _id: 'c2', name: 'Old hall', address: '', capacity: 8, closed: true },
]);
const holidays = answers(listClosures, [
  { _id: 'h1', name: 'Christmas holiday', firstDay: week(2), lastDay: week(3) },
]);
const nothing = { clashes: [], closures: [], tooSmall: [] };
const stored = answers(setDates, { modifiedCount: 1, told: 0 });
const around = [zone, places, holidays, answers(checkDates, nothing), stored];

const meeting = (key: string, day: string, part: Partial<ClassMeeting> = {}): ClassMeeting => ({
  ...aMeeting,
  _id: key,
  place: 'Court 1',
  placeId: 'c1',
  day,
  starts: '16:00',
  ends: '17:00',
  minutes: 60,
  endsAt: `${day}T17:00:00Z`,
  ...part,
});

const planned = {
  _id: 'x',
  instructorId: 'i1',
  capacity: 20,
  seat: 20,
  enrolled: 0,
  dates: 4,
  meetings: [meeting('m1', monday), meeting('m2', week(1))],
};
const booked = { ...planned, seat: 2, enrolled: 18 };

function Editor({ item, isAdmin }: { item?: typeof planned; isAdmin?: boolean }) {
  const dates = useDates(item, { isAdmin });
  const save = async () => {
    try {
      const saved = await dates.save();
      if (typeof saved === 'object') document.title = 'saved';
    } catch (error) {
      document.title = (error as Error).message;
    }
  };
  return (
    <>
      <form>
        <DatesEditor dates={dates} seat={20} />
        <p data-testid="words">{dates.words.schedule}</p>
        <button type="button" onClick={() => void save()}>
          Save
        </button>
      </form>
      <TellFamilies dates={dates} />
    </>
  );
}

type Replies = NonNullable<NonNullable<Parameters<typeof show>[1]>['replies']>;
const edit = (props: Parameters<typeof Editor>[0], ...replies: Replies) =>
  show(<Editor {...props} />, {
    role: props.isAdmin ? 'admin' : 'instructor',
    replies: [...replies, ...around],
  });
const datesSent = (sent: ReturnType<typeof edit>['sent']) =>
  sent.find(({ path }) => path === '/api/classes/dates/x')?.body;

const type = (label: string, value: string, inside: HTMLElement = document.body) =>
  fireEvent.change(within(inside).getByLabelText(label), { target: { value } });
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const pressFirst = (name: RegExp) =>
  fireEvent.click(screen.getAllByRole('button', { name })[0] as HTMLElement);
const items = () => screen.queryAllByRole('listitem').map((item) => item.textContent);

async function typeFourMondays() {
  await screen.findByRole('option', { name: 'Court 1 (takes 8)' });
  press('Mon');
  type('From', monday);
  type('Until', week(3));
  type('Time', '16:00');
  type('Length', '90');
  type('Where', 'c1');
}
async function fillInFourMondays() {
  await typeFourMondays();
  press('Fill in');
}

describe('a class without dates', () => {
  it('is filled in by the week, without holidays, which are named', async () => {
    edit({});
    await fillInFourMondays();
    expect(screen.getByRole('heading', { level: 3 }).textContent).toBe('2 dates');
    expect(screen.getByText(/2 days left out: Christmas holiday/)).toBeTruthy();
    expect(screen.getByTestId('words').textContent).toMatch(/^Mon · 16:00–17:30 · /);
    expect(screen.queryByRole('option', { name: /Old hall/ })).toBeNull();
  });

  it('is filled in by Enter, which does not send the form', async () => {
    edit({});
    await typeFourMondays();
    expect(fireEvent.keyDown(screen.getByLabelText('Length'), { key: 'Enter' })).toBe(false);
    expect(screen.getByRole('heading', { level: 3 }).textContent).toBe('2 dates');
  });

  it('has the focus on the first field that is missing', async () => {
    edit({});
    press('Fill in');
    expect(screen.getByText(/Until then visitors will read/)).toBeTruthy();
    expect(screen.getByText('Choose at least one weekday')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Mon' }));
    press('Mon');
    press('Fill in');
    expect(document.activeElement).toBe(screen.getByLabelText('From'));
  });

  it('moves the focus to the day of an added date', async () => {
    edit({});
    press('Add a date');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Day')));
  });

  it('asks once typing has stopped, and answers at the date', async () => {
    const clash = { day: monday, starts: '16:00', kind: 'place' as const, with: 'Judo' };
    const found = {
      ...nothing,
      clashes: [{ ...clash, classId: 'other' }],
      closures: [{ day: week(1), name: 'Carnival' }],
      tooSmall: [{ place: 'Court 1', capacity: 8 }],
    };
    const { sent } = edit({}, answers(checkDates, found));
    await fillInFourMondays();
    expect(await screen.findByText(/The place is taken by\s+Judo/)).toBeTruthy();
    expect(screen.getByText('Holiday: Carnival')).toBeTruthy();
    expect(screen.getByText('Court 1 takes 8, the class has 20 seats')).toBeTruthy();
    expect(screen.getAllByText('(takes 8)')).toHaveLength(2);
    const asked = sent.filter(({ path }) => path === '/api/meetings/check');
    const meetings = [{ day: monday }, { day: week(1) }];
    expect(asked.map(({ body }) => body)).toMatchObject([{ seat: 20, meetings }]);
  });

  it('shows a refusal at the field of the date that it names', async () => {
    edit({}, refuses(checkDates, 'INVALID_INPUT', 'meetings.1.starts'));
    await fillInFourMondays();
    const alert = await screen.findByRole('alert');
    expect(alert.closest('li')).toBe(screen.getAllByRole('listitem')[1]);
  });
});

describe('a class with dates', () => {
  it('sends all of them with the version that was read', async () => {
    const fresh = { ...planned, dates: 5, meetings: [meeting('m2', week(1))] };
    const { sent } = edit({ item: planned }, answers(getClass, fresh as ManagedClass));
    pressFirst(/^Remove Mon/);
    press('Save');
    await waitFor(() => expect(document.title).toBe('saved'));
    expect(datesSent(sent)).toEqual({
      version: 4,
      meetings: [{ _id: 'm2', day: week(1), starts: '16:00', minutes: 60, placeId: 'c1' }],
    });
  });

  it('gets a substitute for one meeting from an admin', async () => {
    const ben = { id: 'i2', name: 'Ben', email: 'ben@rally.test', img: '', classes: 1, sports: [] };
    const { sent } = edit(
      { item: planned, isAdmin: true },
      answers(listInstructors, { items: [ben], total: 1 }),
      answers(getClass, planned as unknown as ManagedClass),
    );
    pressFirst(/^Change Mon/);
    await screen.findByRole('option', { name: 'Ben' });
    type('Taught by', 'i2');
    press('Keep (not saved yet)');
    expect(items()[0]).toContain('with Ben');
    press('Save');
    await waitFor(() => expect(document.title).toBe('saved'));
    expect(datesSent(sent)).toMatchObject({
      meetings: [{ _id: 'm1', instructorId: 'i2' }, { _id: 'm2' }],
    });
  });

  it('that somebody else changed keeps what was typed', async () => {
    const fresh = { ...planned, dates: 9, meetings: [meeting('m1', monday, { starts: '09:00' })] };
    edit(
      { item: planned },
      refuses(setDates, 'DATES_CHANGED'),
      answers(getClass, fresh as ManagedClass),
    );
    press('Add a date');
    type('Day', week(4));
    press('Save');
    await waitFor(() => expect(document.title).toContain('What you typed is kept'));
    expect(items()[0]).toContain('09:00–10:00');
    expect(items()[1]).toContain('16:00–17:00');
  });

  it('that is over can be neither changed nor removed', () => {
    const over = { ...planned, meetings: [meeting('m1', '2020-01-06')] };
    edit({ item: over });
    expect(screen.getByText('Over')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^(Change|Remove)/ })).toBeNull();
  });
});

describe('a class that families have booked', () => {
  const sentence = '18 families are told. For 2 it clashes with another class.';
  const impact = { lines: [sentence], perMeetingCents: 610, meetingsCents: 10_980 } as Impact;
  const reach = answers(classImpact, impact);

  it('cancels and reinstates a date instead of removing it', () => {
    edit({ item: booked }, reach);
    expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull();
    pressFirst(/^Cancel Mon/);
    expect(items()[0]).toContain('Cancelled');
    press(/^Reinstate Mon/);
    expect(items()[0]).not.toContain('Cancelled');
  });

  it('is saved with words to the families that it reaches', async () => {
    const fresh = { ...booked, dates: 5 };
    const { sent } = edit(
      { item: booked, isAdmin: true },
      reach,
      answers(getClass, fresh as ManagedClass),
    );
    pressFirst(/^Cancel Mon/);
    press('Save');
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain(sentence);
    const submit = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Save and send' });
    expect(submit.disabled).toBe(true);
    expect(datesSent(sent)).toBeUndefined();
    type('What should they know?', 'The court is repaired.', dialog);
    fireEvent.click(within(dialog).getByRole('checkbox', { name: /^Give credit .*109\.80/ }));
    fireEvent.click(submit);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() =>
      expect(datesSent(sent)).toMatchObject({
        giveBack: true,
        tell: 'The court is repaired.',
        meetings: [{ _id: 'm1', cancelled: true }, { _id: 'm2' }],
      }),
    );
  });

  it('is not saved when the question is answered with Cancel', async () => {
    const { sent } = edit({ item: booked }, reach);
    pressFirst(/^Cancel Mon/);
    press('Save');
    const dialog = await screen.findByRole('dialog');
    fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(datesSent(sent)).toBeUndefined();
    expect(items()[0]).toContain('Cancelled');
  });
});
