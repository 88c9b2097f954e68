// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it, onTestFinished } from 'vitest';
import { type CartItem, getCart } from '../../contract/checkout/cart.ts';
import { type Enrolment, listEnrolments } from '../../contract/checkout/payments.ts';
import { myCalendar, type OwnMeeting } from '../../contract/classes/calendar.ts';
import { getClass } from '../../contract/classes/classes.ts';
import { listParticipants, type Participant } from '../../contract/people/family.ts';
import { addDays } from '../../contract/platform/days.ts';
import { type Account, getAccount } from '../../contract/signin/account.ts';
import { invitation } from '../people/session/invitation.ts';
import { todayIn } from '../platform/ui/dates.ts';
import { aCartItem, aClass, aMeeting, anEnrolment } from '../testing/samples.ts';
import { answers, aUser, show } from '../testing/screen.tsx';
import { UserHome } from './UserHome.tsx';

interface Has {
  cart?: CartItem[];
  unconfirmed?: true;
  adminWaits?: true;
  enrolled?: Enrolment[];
  meetings?: OwnMeeting[];
  family?: Participant[];
}
const home = ({ cart = [], enrolled = [], meetings = [], family = [], ...account }: Has) =>
  show(<UserHome />, {
    replies: [
      answers(getAccount, account as Account),
      answers(getCart, cart),
      answers(listEnrolments, { items: enrolled, total: enrolled.length }),
      answers(myCalendar, meetings),
      answers(getClass, { ...aClass, bring: 'Gloves' }),
      answers(listParticipants, family),
    ],
  });

const tomorrow = addDays(todayIn(), 1);
const tennis: Enrolment = { ...anEnrolment, participantId: 'p1', participant: 'Mia' };
const meeting = (more: Partial<OwnMeeting>): OwnMeeting => ({
  ...aMeeting,
  classId: 'x',
  name: 'Tennis',
  sport: 'Tennis',
  seat: 0,
  day: tomorrow,
  startsAt: `${tomorrow}T10:00:00.000Z`,
  endsAt: `${tomorrow}T11:30:00.000Z`,
  for: [{ id: 'p1', name: 'Mia' }],
  ...more,
});
const mia = { _id: 'p1', name: 'Mia', self: false, care: 'none' } as Participant;
const rows = async () =>
  (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent);

it('says first what comes next, then the week', async () => {
  home({ enrolled: [tennis], meetings: [meeting({})] });
  expect(await screen.findByText('Bring: Gloves')).toBeTruthy();
  const [next, inWeek, later] = await rows();
  expect(next).toMatch(/^Next: Tomorrow10:00 to 11:30TennisAna CostaMMia/);
  expect(inWeek).toMatch(/^Next: 10:00 to 11:30Tennis.*MMia$/);
  expect(later).toMatch(/Jan.*16:00Archery BasicsHall 2MMia$/);
  expect(screen.getByText(/^Today: nothing/)).toBeTruthy();
});

it('goes to the first class where the week is empty', async () => {
  home({ enrolled: [{ ...anEnrolment, next: { ...anEnrolment.next, day: '2099-01-12' } }] });
  expect((await rows())[0]).toMatch(/^Next: Mon 12 Jan 209916:00Archery Basics/);
});

it('shows the week of one child of several', async () => {
  const leo = { id: 'p2', name: 'Leo' };
  home({
    enrolled: [tennis, { ...tennis, enrolmentId: 'e2', participantId: 'p2', participant: 'Leo' }],
    meetings: [meeting({}), meeting({ _id: 'm2', name: 'Judo', for: [leo] })],
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Leo' }));
  const week = await screen.findByRole('region', { name: 'My week' });
  expect(within(week).queryByText('Tennis')).toBeNull();
  expect(within(week).getByText('Judo')).toBeTruthy();
});

it('leads to the classes while there is none', async () => {
  home({});
  expect(await screen.findByRole('link', { name: 'Find a class' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Cart' })).toBeTruthy();
});

it('asks to confirm the address until it is confirmed', async () => {
  home({ unconfirmed: true });
  expect(await screen.findByText('Please confirm your address')).toBeTruthy();
  expect(await screen.findByLabelText('Code')).toBeTruthy();
});

it('offers the invitation that its owner came with', async () => {
  invitation.keep('secret');
  onTestFinished(invitation.forget);
  home({ unconfirmed: true });
  const link = await screen.findByRole('link', { name: 'Open the invitation' });
  expect(link.getAttribute('href')).toBe('/invitation');
  expect(screen.queryByText('Please confirm your address')).toBeNull();
});

it('tells an admin whose rights wait for two-step sign-in', async () => {
  home({ adminWaits: true });
  const link = await screen.findByRole('link', { name: 'Turn it on' });
  expect(link.getAttribute('href')).toBe('/dashboard/account');
});

it('asks for the allergies of a child who is enrolled', async () => {
  home({ enrolled: [tennis], family: [mia] });
  expect(await screen.findByText('Allergies and contacts of Mia are missing')).toBeTruthy();
  const link = screen.getByRole('link', { name: 'Write them down' });
  expect(link.getAttribute('href')).toBe('/dashboard/family/p1');
});

it.each([
  ['whose allergies are written', [tennis], { ...mia, care: 'filled' as const }],
  ['who is enrolled in no class', [], mia],
])('asks nothing of a child %s', async (_who, enrolled, child) => {
  home({ enrolled, family: [child] });
  await screen.findByRole('link', { name: 'Cart' });
  expect(screen.queryByText(/Allergies|Please confirm/)).toBeNull();
});

it('counts the cart, and says which seat is held', async () => {
  home({
    cart: [
      { ...aCartItem, cents: 2_000, participantId: aUser.id, paying: true },
      { ...aCartItem, cartItemId: 'b2', state: 'sold-out' },
    ],
  });
  expect(await screen.findByRole('link', { name: 'Cart (2, $20.00)' })).toBeTruthy();
  const pay = screen.getByRole('link', { name: 'Go on paying' });
  expect(pay.getAttribute('href')).toBe('/dashboard/payment?items=b1');
});
