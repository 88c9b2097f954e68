// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { listClasses } from '../../../contract/classes/classes.ts';
import { addDiscount, type Discount, listDiscounts } from '../../../contract/checkout/discounts.ts';
import { settings } from '../../../contract/platform/settings.ts';
import { aClass, someSettings } from '../../testing/samples.ts';
import { answers, answersBy, refuses, show } from '../../testing/screen.tsx';
import { Discounts } from './Discounts.tsx';

const rule: Discount = {
  discountId: 'd1',
  kind: 'siblings',
  name: 'Sibling discount',
  percent: null,
  cents: null,
  steps: [{ rank: 2, percent: 10 }],
  code: null,
  until: null,
  classId: null,
  className: null,
  sport: null,
  usesMost: null,
  uses: 12,
  givenCents: 10_850,
  state: 'on',
};
const listed = (...items: Discount[]) => answers(listDiscounts, { items, total: items.length });
const named = (name: string) => ({ ...aClass, _id: name.toLowerCase(), name });
const open = async (kind: string) => {
  fireEvent.click(await screen.findByRole('button', { name: `Add: ${kind}` }));
  return within(screen.getByRole('dialog', { name: kind }));
};
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });

it('lists what a rule gives, its uses and the money given', async () => {
  show(<Discounts />, { role: 'admin', replies: [listed(rule)] });
  const row = await screen.findByRole('row', { name: /Sibling discount/ });
  expect(row.textContent).toContain('10 % from the second child');
  expect(row.textContent).toContain('12');
  expect(row.textContent).toContain('$108.50');
  expect(within(row).getByRole('button', { name: 'End: Sibling discount' })).toBeTruthy();
});

it('a rule for siblings shows what it means and replaces', async () => {
  const { sent } = show(<Discounts />, {
    role: 'admin',
    replies: [listed(rule), answers(addDiscount, { insertedId: 'd2' })],
  });
  await screen.findByRole('row', { name: /Sibling discount/ });
  const form = await open('Siblings');
  expect(form.getByText('Two children, $90.00 each: $90.00 + $81.00 = $171.00')).toBeTruthy();
  expect(form.getByText(/It replaces “Sibling discount”/)).toBeTruthy();
  type(form.getByLabelText('Second'), '20');
  type(form.getByLabelText('Third'), '50');
  expect(
    form.getByText('Three children, $90.00 each: $90.00 + $72.00 + $45.00 = $207.00'),
  ).toBeTruthy();
  fireEvent.click(form.getByRole('button', { name: 'Add' }));
  await waitFor(() =>
    expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({
      kind: 'siblings',
      name: 'Sibling discount',
      steps: [
        { rank: 2, percent: 20 },
        { rank: 3, percent: 50 },
      ],
    }),
  );
});

it('a rule that gives less to the next child is refused there', async () => {
  const { sent } = show(<Discounts />, { role: 'admin', replies: [listed()] });
  const form = await open('Siblings');
  type(form.getByLabelText('Second'), '20');
  type(form.getByLabelText('Fourth'), '10');
  fireEvent.click(form.getByRole('button', { name: 'Add' }));
  expect(await form.findByText('Not less than 20')).toBeTruthy();
  expect(form.getByLabelText('Fourth').getAttribute('aria-invalid')).toBe('true');
  expect(form.getByLabelText('Second').getAttribute('aria-invalid')).not.toBe('true');
  expect(sent.filter(({ method }) => method === 'POST')).toEqual([]);
});

it("a refusal at a field is a sentence, without the field's name", async () => {
  const message = 'code must be 4 to 24 letters, digits or hyphens';
  show(<Discounts />, {
    role: 'admin',
    replies: [listed(), refuses(addDiscount, 'INVALID_INPUT', 'code', { message })],
  });
  const form = await open('Coupon');
  type(form.getByLabelText('Code'), 'A!');
  fireEvent.click(form.getByRole('button', { name: 'Add' }));
  expect(await form.findByText('Must be 4 to 24 letters, digits or hyphens')).toBeTruthy();
});

it('a code that is taken is said at its field', async () => {
  show(<Discounts />, {
    role: 'admin',
    replies: [listed(), refuses(addDiscount, 'CODE_TAKEN', 'code')],
  });
  const form = await open('Coupon');
  type(form.getByLabelText('Code'), 'SPRING');
  type(form.getByLabelText('In'), '$');
  expect(form.getByText('Two classes, $171.00 together, cost $161.00.')).toBeTruthy();
  type(form.getByLabelText('In'), '%');
  fireEvent.click(form.getByRole('button', { name: 'Add' }));
  expect(await form.findByText('There is such a code already.')).toBeTruthy();
});

it('the class of an early bird is found and stays chosen', async () => {
  const { sent } = show(<Discounts />, {
    role: 'admin',
    replies: [
      listed(),
      answers(settings, someSettings),
      answersBy(listClasses, (asked) => {
        const result = asked.get('search') === 'judo' ? [named('Judo')] : [named('Archery')];
        return { result, outQueryResult: [], total: asked.get('search') ? 1 : 214 };
      }),
      answers(addDiscount, { insertedId: 'd2' }),
    ],
  });
  const form = await open('Early bird');
  type(form.getByLabelText('For'), 'one');
  expect(await form.findByText('The first 1 of 214.')).toBeTruthy();
  type(form.getByLabelText('Find'), ' judo ');
  await form.findByRole('option', { name: 'Judo' });
  type(form.getByLabelText('Class'), 'judo');
  type(form.getByLabelText('Find'), 'arch');
  await form.findByRole('option', { name: 'Archery' });
  expect(form.getByLabelText('Class')).toHaveProperty('value', 'judo');
  type(form.getByLabelText('Last day'), '2099-01-31');
  fireEvent.click(form.getByRole('button', { name: 'Add' }));
  await waitFor(() =>
    expect(sent.find(({ method }) => method === 'POST')?.body).toMatchObject({
      kind: 'early',
      until: '2099-01-31',
      classId: 'judo',
    }),
  );
});
