// Searches of the lists. Their pages and totals: the tests of each list.
import { expect, it } from 'vitest';
import { listClasses } from '../../../contract/classes/classes.ts';
import { listAllPayments } from '../../../contract/checkout/payments.ts';
import { listUsers } from '../../../contract/people/users.ts';
import { testApp } from '../../testing/app.ts';
import { aClass, aUser, anAdmin } from '../../testing/factories.ts';
import { aPaymentRow } from '../../testing/rows.ts';

const app = await testApp();
const named = (list: { name: string }[]) => list.map((each) => each.name);

it.each([
  ['Jürgen Müller', 'muller'],
  ['Søren Muller', 'sören müll'],
  ['Straße Łódź', 'strasse lodz'],
])('searches ignore accents: %s is found by %s', async (name, search) => {
  const { token } = await anAdmin(app);
  const { id: studentId } = await aUser(app, { name });
  const { id: classId } = await aClass(app, { name });
  await aPaymentRow(app, { studentId, classId });
  const users = await app.send(listUsers, { search }, token);
  const classes = await app.send(listClasses, { search }, token);
  const payments = await app.send(listAllPayments, { search }, token);
  expect([named(users.body), named(classes.body.result)]).toEqual([[name], [name]]);
  expect(payments.body).toHaveLength(1);
});
