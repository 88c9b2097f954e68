// The office cancels a class with 18 families: what it does is said first, and done once.
import { openDatabase } from './database.ts';
import { expect, expectToFit, journey, test } from './fixtures.ts';
import { audit, expectOneSolidButton } from './looks.ts';
import { aClass, enter, type MadeClass, theAdmin } from './people.ts';
import { inDatabase, seatsOf } from './till.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const families = 18;

/** A paid seat for each of so many new accounts. */
const sell = (classId: string) =>
  inDatabase(
    `with people as (insert into "user" (name, email, proven_at)
        select 'Family ' || n, gen_random_uuid() || '@example.com', now() from generate_series(1, $2::int) n returning id as student),
      seat as (select student, gen_random_uuid() as id from people),
      baskets as (insert into basket (id, student_id, total_cents, state, intent_id)
        select id, student, 4900, 'paid', 'pi_cancel_' || id from seat),
      holds as (insert into hold (id, basket_id, student_id, participant_id, class_id, list_cents, state, slot)
        select id, id, student, student, $1, 4900, 'consumed', 1 from seat),
      payments as (insert into payment (id, basket_id, intent_id, student_id, email, customer, item_name, amount_cents, currency, status)
        select id, id, 'pi_cancel_' || id, student, 'x@example.com', 'Family', 'Judo', 4900, 'usd', 'succeeded' from seat),
      lines as (insert into payment_line (id, payment_id, hold_id, student_id, participant_id, class_id, item_name, participant, list_cents, worth_cents, outcome)
        select id, id, id, student, student, $1, 'Judo', 'Family', 4900, 4900, 'enrolled' from seat),
      earned as (insert into ledger (key, debit, credit, cents, student_id, payment_id, to_line)
        select 'sale:' || id || ':card', 'card', 'sales', 4900, student, id, id from seat),
      sold as (update class set sold = (select count(*) from seat) where id = $1)
    insert into enrolment (payment_id, line_id, student_id, participant_id, class_id)
    select id, id, student, student, $1 from seat`,
    [classId, String(families)],
  );

test('the office cancels a class with 18 families', journey, async ({ page }) => {
  const chosen = await aClass({ seat: 20 });
  await sell(chosen.id);
  await enter(page, await theAdmin());
  await page.goto(`/dashboard/manageclasses/${chosen.id}`);
  await page.getByRole('button', { name: 'Cancel class' }).click();
  const dialog = page.getByRole('dialog', { name: `Cancel ${chosen.name}` });
  await expect(dialog).toContainText('18 families, $882.00 back ($882.00 card).');
  await expect(dialog.getByRole('textbox', { name: 'Reason' })).toBeFocused();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Marco is ill.');
  await expectToFit(page);
  await audit(page);
  await dialog.getByRole('button', { name: 'Cancel and give back $882.00' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Why it was cancelled')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel class' })).toBeHidden();
  await expectOneSolidButton(page);
  await audit(page);
  await expect(async () => expect(await seatsOf(chosen)).toBe(20)).toPass();
  // The families, and the coach: each once.
  await expect(async () => expect(await toldOf(chosen)).toEqual([19, 19])).toPass();
});

async function toldOf({ name }: MadeClass): Promise<number[]> {
  const database = await openDatabase();
  const { rows } = await database.query<{ mails: number; people: number }>(
    `select count(*)::int as mails, count(distinct recipient)::int as people from mailbox where subject = $1`,
    [`${name} is cancelled`],
  );
  await database.end();
  return rows.flatMap(({ mails, people }) => [mails, people]);
}
