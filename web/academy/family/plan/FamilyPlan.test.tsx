// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { myCalendar } from '../../../../contract/classes/calendar.ts';
import { addToCart, getCart } from '../../../../contract/checkout/cart.ts';
import { listParticipants, type Participant } from '../../../../contract/people/family.ts';
import { listEnrolments } from '../../../../contract/checkout/payments.ts';
import { listPlans, type PlannedClass } from '../../../../contract/classes/plans.ts';
import { aUser, answers, show } from '../../../testing/screen.tsx';
import { FamilyPlan } from './FamilyPlan.tsx';

const child = (_id: string, name: string) =>
  ({ _id, self: false, name, born: '2018-05-04' }) as Participant;
const aClass = (of: Partial<PlannedClass>): PlannedClass => ({
  _id: 'c1',
  name: 'Tennis for Kids',
  sport: 'Tennis',
  level: 'all',
  price: 120,
  seat: 4,
  schedule: 'Mon · 16:00–17:00',
  minAge: 6,
  maxAge: 12,
  firstDay: '2027-01-04',
  week: [{ weekday: 1, starts: '16:00', minutes: 60 }],
  meetings: [{ startsAt: '2027-01-04T16:00:00Z', minutes: 60, place: 'Court 1' }],
  ...of,
});
it('proposes a class for each child, and puts it into the cart', async () => {
  const yoga = aClass({ _id: 'c2', name: 'Yoga', sport: 'Yoga', price: 10 });
  const self = { ...child(aUser.id, aUser.name), self: true };
  const family = [self, child('p1', 'Mia Parent'), child('p2', 'Leo Parent')];
  const { sent, where } = show(<FamilyPlan />, {
    replies: [
      answers(listParticipants, family),
      answers(listPlans, [aClass({}), yoga]),
      answers(getCart, []),
      answers(listEnrolments, { items: [], total: 0 }),
      answers(myCalendar, []),
      answers(addToCart, { insertedId: 'b1' }),
    ],
  });
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Tennis' }));
  const plan = screen.getByRole('article', { name: 'Best fit' });
  expect(plan.textContent).toContain('Mia and Leo are in the same class.');
  expect(plan.textContent).toContain('$240.00');
  fireEvent.click(within(plan).getByRole('button', { name: /^Put into the cart/ }));
  await vi.waitFor(() => expect(where()).toBe('/dashboard/mycart'));
  const added = sent.filter(({ method }) => method === 'POST').map(({ body }) => body);
  expect(added).toEqual([
    { itemId: 'c1', participantId: 'p1' },
    { itemId: 'c1', participantId: 'p2' },
  ]);
});
