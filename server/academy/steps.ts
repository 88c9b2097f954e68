// The first steps of a new academy. Each is ticked by what is there; nothing is ticked by hand but a
// backup, which an operator may make with tools of their own.
import type { Mail } from '../mail/mail.ts';
import type { Services } from '../platform/services.ts';
import {
  changeSteps,
  readSteps,
  sendTestMail,
  type StepName,
} from '../../contract/academy/steps.ts';
import { execute, query } from '../platform/db/connection.ts';
import { changed, unchanged } from '../platform/db/write.ts';
import { fail } from '../platform/http/fail.ts';
import { patiently, ProviderError } from '../platform/cards.ts';
import { testMail } from './texts.ts';
import { isCoach } from '../people/users.ts';

export function steps({ on, db, write, cards, config, log }: Services, mail: Mail): void {
  /** What the provider says to our keys, asked for an intent that does not exist. */
  async function missing(): Promise<'keys' | 'answer' | 'other keys' | 'event'> {
    if (config.stripe === null) return 'keys';
    try {
      await patiently(cards.intent('pi_first_steps'), 3_000);
      return 'event';
    } catch (error) {
      return error instanceof ProviderError && error.kind === 'refused' ? 'other keys' : 'answer';
    }
  }

  on(readSteps, async () => {
    const rows = await query<Record<StepName | 'hidden', boolean>>(db)`
      select steps_hidden_at is not null as hidden,
        name is not null and logo is not null as name,
        jsonb_path_exists(coalesce(banners, '[]'), '$[*] ? (@ != null)') as photos,
        email is not null and city is not null as contact,
        currency is not null and time_zone is not null as money,
        exists (select from place) as place,
        exists (select from "user" where ${isCoach})
          or exists (select from staff_invitation where role = 'instructor') as instructor,
        exists (select from class where status = 'approved') as class,
        ${config.stripe !== null}::boolean and exists (select from stripe_event) as cards,
        mail_tested_at is not null as mail,
        backed_up_at is not null as backup
      from academy`;
    const { hidden = true, ...done } = rows[0] ?? {};
    const names = Object.entries(done).flatMap(([name, is]) => (is ? [name as StepName] : []));
    const asks = !hidden && !names.includes('cards');
    return { hidden, done: names, ...(asks && { cards: await missing() }) };
  });

  on(changeSteps, ({ hidden, backup }, { who }) =>
    write(who, async (db) => {
      if (!hidden && !backup) return unchanged;
      if (hidden) await execute(db)`update academy set steps_hidden_at = now()`;
      if (backup) await execute(db)`update academy set backed_up_at = now()`;
      const detail = [hidden && 'dismissed', backup && 'a backup is made'].filter(Boolean);
      return changed({ action: 'first steps', subject: 'academy', detail: detail.join(', ') });
    }),
  );

  // Not by a job: the admin waits for the answer of the mail server.
  on(sendTestMail, async (_input, { who }) => {
    try {
      await mail.send(testMail(config, who.email));
    } catch (error) {
      log.error({ err: error }, 'the test mail was not sent');
      fail('MAIL_DOWN');
    }
    await execute(db)`update academy set mail_tested_at = now()`;
    return { to: who.email };
  });
}
