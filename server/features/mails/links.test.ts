// What people write in a mail is no link: mail programs make one of `evil.example` and of all with
// `://`. Names of children: money.test.ts.
import { expect, it } from 'vitest';
import type { Message } from '../../outside/mail.ts';
import { mailHtml, ourLook } from '../../outside/mailhtml.ts';
import { announcementMail, reminderMail } from './classes.ts';
import { newDatesMail } from './dates.ts';
import { bookedMail } from './money.ts';
import { classesMail } from './office.ts';

const academy = { brand: 'Rally', publicUrl: 'https://rally.test' };
const to = { id: crypto.randomUUID(), email: 'ada@example.com', name: 'Ada' };
const evil = 'Pay at evil.example';
const url = 'Pay at https://evil.example/now';
const classId = crypto.randomUUID();
const met = { day: '2027-01-04', starts: '16:00', minutes: 60, place: '' };
const seat = { classId, schedule: '', place: '', instructor: evil, bring: '' };
const child = { id: crypto.randomUUID(), name: 'Tom' };

const htmlOf = ({ subject, parts = [] }: Message) =>
  mailHtml(
    { subject, parts },
    { ...academy, contact: null, logo: 'https://rally.test/logo.png', button: ourLook },
  );

it.each<[string, Message]>([
  [
    'the subject of an announcement',
    announcementMail(academy, to, {
      className: 'Judo',
      subject: url,
      words: url,
      from: { name: evil, email: 'eve@example.com' },
    }),
  ],
  [
    'the name of a class that no admin has read',
    classesMail(academy, to, [{ subject: classId, words: `${url} by Eve` }]),
  ],
  [
    'the name of an instructor in a reminder',
    reminderMail(academy, to, {
      day: met.day,
      meetings: [{ ...seat, ...met, name: 'Judo', child: null, address: '' }],
    }),
  ],
  [
    'the name of a substitute',
    newDatesMail(academy, to, {
      classId,
      name: 'Judo',
      changes: [{ before: met, after: met, instructor: evil, former: evil }],
      tell: 'Sorry',
    }),
  ],
  [
    'the name of an instructor in a booking',
    bookedMail(academy, to, [{ ...seat, itemName: 'Judo', child }]),
  ],
])('%s', (_what, mail) => {
  for (const shown of [mail.subject, mail.text, htmlOf(mail)]) {
    expect(shown).not.toMatch(/evil\.example|:\/\/evil/);
  }
  expect(mail.text + mail.subject).toContain('evil. example');
});
