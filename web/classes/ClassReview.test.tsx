// @vitest-environment happy-dom
import { cancelClass, classImpact, type Impact } from '../../contract/checkout/cancel.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Navigate, Route, Routes } from 'react-router';
import { expect, it } from 'vitest';
import {
  approveClass,
  denyClass,
  getClass,
  listClasses,
  type ManagedClass,
} from '../../contract/classes/classes.ts';
import { errors } from '../../contract/platform/errors.ts';
import { checkDates } from '../../contract/classes/meetings.ts';
import { ApproveDeny } from './ApproveDeny.tsx';
import { aClass, aMeeting } from '../testing/samples.ts';
import { answers, refuses, show } from '../testing/screen.tsx';
import { OpenDialog } from '../platform/ui/Messages.tsx';
import { ClassReview } from './ClassReview.tsx';

const item: ManagedClass = {
  ...aClass,
  seat: 18,
  enrolled: 0,
  status: 'pending',
  schedule: 'Sat · 10:00–11:30 · 5 Jun 2027',
  place: 'Range',
  feedback: '',
  version: 7,
};
const planned: Partial<ManagedClass> = { dates: 3, firstDay: '2027-06-05', meetings: [aMeeting] };
const fits = { clashes: [], closures: [], tooSmall: [], families: 0, clashing: 0 };
const taken = { day: '2027-06-05', starts: '10:00', with: 'Judo', classId: 'c2' };
const changed = { modifiedCount: 1 };

const at = (
  <>
    <Routes>
      <Route path="/" element={<Navigate to="/review/x" />} />
      <Route path="/review/:id" element={<ClassReview />} />
    </Routes>
    <OpenDialog />
  </>
);
const review = (of: Partial<ManagedClass> = {}, check: object = {}, lines: string[] = []) =>
  show(at, {
    role: 'admin',
    replies: [
      answers(getClass, { ...item, ...of }),
      answers(checkDates, { ...fits, ...check }),
      answers(approveClass, changed),
      answers(denyClass, changed),
      answers(classImpact, { lines } as Impact),
      answers(listClasses, { result: [], outQueryResult: [], total: 0 }),
    ],
  });
const approves = (sent: ReturnType<typeof review>['sent'], body: object) =>
  waitFor(() =>
    expect(sent).toContainEqual({ method: 'PATCH', path: '/api/classes/approve/x', body }),
  );
const button = (name: string) => screen.findByRole<HTMLButtonElement>('button', { name });

it('approves what is shown: this version with these dates', async () => {
  const { sent } = review(planned);
  const approve = await button('Approve: Archery Basics');
  await waitFor(() => expect(approve.disabled).toBe(false));
  fireEvent.click(approve);
  await approves(sent, { version: 7, dates: 3 });
});

it('cannot be approved while a date clashes with a class', async () => {
  const clashes = [
    { kind: 'place', ...taken },
    { kind: 'instructor', ...taken },
  ];
  review(planned, { clashes });
  await screen.findByText(/^1 date clashes with other classes/);
  expect((await button('Approve: Archery Basics')).disabled).toBe(true);
  const meeting = screen.getByRole('list', { name: 'Meetings' });
  expect(meeting.textContent).toContain('Place and instructor are taken by Judo');
  const judo = within(meeting).getByRole('link', { name: 'Judo' });
  expect(judo.getAttribute('href')).toBe('/dashboard/manageclasses/c2');
});

it('in a list, Approve of a class with dates leads to its review', () => {
  show(<ApproveDeny item={{ ...item, firstDay: '2027-06-05' }} onDenied={() => undefined} />);
  const link = screen.getByRole('link', { name: 'Approve: Archery Basics' });
  expect(link.getAttribute('href')).toBe('/dashboard/manageclasses/x');
});

it('names what is not given, and what changed after feedback', async () => {
  review({ description: '', ages: '', changed: ['schedule', 'place'], feedback: 'Too late.' });
  expect(await screen.findByText('Not given: description, ages')).toBeTruthy();
  expect(screen.getByText('Changed after your feedback: schedule, place')).toBeTruthy();
  expect(screen.getByText('Too late.')).toBeTruthy();
});

it('shows a class that was changed since as it is now', async () => {
  const { sent } = show(at, {
    role: 'admin',
    replies: [answers(getClass, item), refuses(approveClass, 'CLASS_CHANGED')],
  });
  const reads = () => sent.filter(({ path }) => path === '/api/classes/x').length;
  fireEvent.click(await button('Approve: Archery Basics'));
  expect(await screen.findByText(errors.CLASS_CHANGED[1])).toBeTruthy();
  expect(reads()).toBe(2);
});

it('shows what a class on sale is to become', async () => {
  const proposedAt = '2026-11-19T02:00:00.000Z';
  const proposal = { ages: '6 to 8', seat: 30 };
  const { sent } = review({ status: 'approved', proposedAt, proposal, changed: ['ages', 'seat'] });
  expect(await screen.findByText('A change waits: ages, seats')).toBeTruthy();
  const lines = screen.getAllByRole('definition').map(({ textContent }) => textContent);
  expect(lines).toContain('8 to 12 →becomes 6 to 8');
  expect(lines).toContain(`${aClass.capacity} →becomes 30`);
  expect(await button('Refuse the change')).toBeTruthy();
  fireEvent.click(await button('Approve: Archery Basics'));
  await approves(sent, { version: 7, proposedAt });
});

it('denies at the first click, and then asks for the reason', async () => {
  const { sent } = review();
  fireEvent.click(await button('Deny: Archery Basics'));
  expect(await screen.findByRole('form', { name: 'Why Archery Basics was denied' })).toBeTruthy();
  expect(sent).toContainEqual({ method: 'PATCH', path: '/api/classes/deny/x', body: {} });
  expect(screen.queryByText('Deny Archery Basics?')).toBeNull();
});

it('asks before it denies a class with paid seats', async () => {
  const lines = ['2 families keep their seats.'];
  const { sent } = review({}, {}, lines);
  fireEvent.click(await button('Deny: Archery Basics'));
  expect(await screen.findByText('Deny Archery Basics?')).toBeTruthy();
  expect(screen.getByText(`${lines[0]} No further seat is sold.`)).toBeTruthy();
  fireEvent.click(screen.getByText('Cancel'));
  await waitFor(() => expect(screen.queryByText('Deny Archery Basics?')).toBeNull());
  expect(sent.filter(({ method }) => method === 'PATCH')).toEqual([]);
  expect(screen.queryByRole('form', { name: 'Why Archery Basics was denied' })).toBeNull();
});

it('says that there is no such class', async () => {
  show(at, { role: 'admin', replies: [refuses(getClass, 'NOT_FOUND')] });
  expect(await screen.findByRole('heading', { name: 'There is no such class' })).toBeTruthy();
});

it('cancels a class; another sum is shown before it is done', async () => {
  const impact = { families: 18, card: 141_000, credit: 12_000, lines: ['18 families, back'] };
  const { sent } = show(at, {
    role: 'admin',
    replies: [
      answers(getClass, item),
      answers(checkDates, fits),
      answers(classImpact, impact as Impact),
      refuses(cancelClass, 'QUOTE_CHANGED'),
    ],
  });
  fireEvent.click(await button('Cancel class'));
  const go = await button('Cancel and give back $1,530.00');
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'Ill' } });
  fireEvent.click(go);
  expect(await screen.findByText(/Changed just now/)).toBeTruthy();
  const body = { reason: 'Ill', families: 18 };
  expect(sent).toContainEqual({ method: 'POST', path: '/api/classes/cancel/x', body });
});
