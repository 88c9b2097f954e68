// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { allMeetings, type PlannedMeeting } from '../../../contract/classes/calendar.ts';
import { errors } from '../../../contract/platform/errors.ts';
import { settings } from '../../../contract/platform/settings.ts';
import {
  addClosure,
  addPlace,
  changePlace,
  listClosures,
  listPlaces,
  type Place,
  removeClosure,
} from '../../../contract/classes/places.ts';
import { someSettings } from '../../testing/samples.ts';
import { answers, refuses, show } from '../../testing/screen.tsx';
import { OpenDialog } from '../../platform/ui/Messages.tsx';
import { Places } from './Places.tsx';

const court: Place = { _id: 'x', name: 'Court 1', address: '', capacity: 8, closed: false };
const around = [
  answers(listClosures, []),
  answers(settings, { ...someSettings, timeZone: 'America/New_York' }),
];
type Replies = NonNullable<Parameters<typeof show>[1]>['replies'];
const page = (places: Place[], ...replies: NonNullable<Replies>) =>
  show(
    <>
      <Places />
      <OpenDialog />
    </>,
    { role: 'admin', replies: [answers(listPlaces, places), ...replies, ...around] },
  );
const button = (name: string) => screen.findByRole('button', { name });

it.each([
  [false, 'Close: Court 1', 'Court 1 stays open', { closed: true }],
  [true, 'Reopen: Court 1', 'Court 1 stays closed', { closed: false }],
])('a place that is closed (%s) says why it stays so', async (closed, name, title, body) => {
  const { sent } = page([{ ...court, closed }], refuses(changePlace, 'PLACE_IN_USE'));
  fireEvent.click(await button(name));
  expect(await screen.findByText(title)).toBeTruthy();
  expect(screen.getByText(errors.PLACE_IN_USE[1])).toBeTruthy();
  fireEvent.click(screen.getByText('OK'));
  expect(screen.queryByText(errors.PLACE_IN_USE[1])).toBeNull();
  expect(sent).toContainEqual({ method: 'PATCH', path: '/api/places/x', body });
});

it('the meetings in the way of closing are links', async () => {
  const at = { day: '2027-01-12', starts: '16:00' };
  const clashes = [{ ...at, kind: 'place' as const, with: 'Judo', classId: 'c1' }];
  const message = '1 meeting is planned here: move or cancel it first.';
  page([court], refuses(changePlace, 'PLACE_IN_USE', 'closed', { message, clashes }));
  fireEvent.click(await button('Close: Court 1'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Court 1 stays open' }));
  expect(dialog.getByText(message)).toBeTruthy();
  const link = dialog.getByRole('link', { name: 'Judo' });
  expect(link.getAttribute('href')).toBe('/dashboard/manageclasses/c1');
});

it('an academy without a place adds its first', async () => {
  const { sent } = page([], refuses(addPlace, 'NAME_TAKEN', 'name'));
  expect(await screen.findByText('Add your first place')).toBeTruthy();
  expect(await screen.findByText('America/New York')).toBeTruthy();
  fireEvent.click(await button('Add a place'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add a place' }));
  const name = dialog.getByLabelText('Name');
  await waitFor(() => expect(document.activeElement).toBe(name));
  fireEvent.change(name, { target: { value: 'Court 2' } });
  fireEvent.change(dialog.getByLabelText('How many it takes'), { target: { value: '12' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Add' }));
  expect((await dialog.findByRole('alert')).textContent).toBe(errors.NAME_TAKEN[1]);
  expect(sent.at(-1)?.body).toEqual({ name: 'Court 2', address: '', capacity: 12 });
});

const carnival = { _id: 'x', name: 'Carnival', firstDay: '2027-01-12', lastDay: '2027-01-12' };
const judo = { classId: 'c1', name: 'Judo', day: '2027-01-12', starts: '16:00', state: 'on' };
const planned = answers(allMeetings, [judo as PlannedMeeting]);

it('a holiday names the meetings on its days before it is added', async () => {
  const { sent } = page([court], planned, answers(addClosure, { insertedId: 'x' }));
  fireEvent.click(await button('Add a holiday'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add a holiday' }));
  fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'Carnival' } });
  fireEvent.change(dialog.getByLabelText('First day'), { target: { value: '2027-01-12' } });
  expect(await dialog.findByText('1 meeting is planned on these days')).toBeTruthy();
  fireEvent.click(dialog.getByRole('button', { name: 'Add' }));
  const { _id, ...body } = carnival;
  await waitFor(() => expect(sent).toContainEqual({ method: 'POST', path: '/api/closures', body }));
});

it('a holiday leads to its meetings, and can be removed', async () => {
  const { sent } = page(
    [court],
    answers(listClosures, [carnival]),
    planned,
    answers(removeClosure, { deletedCount: 1 }),
  );
  const link = await screen.findByRole('link', { name: 'Judo', hidden: true });
  expect(link.getAttribute('href')).toBe('/dashboard/manageclasses/c1');
  fireEvent.click(await button('Remove: Carnival'));
  fireEvent.click(await button('Remove'));
  await waitFor(() => expect(sent.some(({ method }) => method === 'DELETE')).toBe(true));
});
