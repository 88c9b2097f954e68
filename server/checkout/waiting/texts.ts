// The mails to those who wait. Links act on nothing: programs that scan mails follow them.
import { oneLine } from '../../../contract/platform/rules.ts';
import {
  type Addressed,
  amount,
  childrenInWords,
  factsOf,
  inWords,
  letter,
  type MailBrand,
  momentOf,
  toPage,
} from '../../mail/common.ts';
import type { Message } from '../../mail/mail.ts';
import type { RowOf } from '../../platform/db/connection.ts';

export interface Whom {
  /** It is for the person who reads the mail. */
  self: boolean;
  children: readonly string[];
}

const whomIn = (to: Pick<Addressed, 'proven'>, { self, children }: Whom) => {
  const names = children.length > 0 ? [childrenInWords(to, children)] : [];
  return inWords(self ? ['you', ...names] : names);
};

export interface Offered extends RowOf<'class', 'name' | 'schedule' | 'place'> {
  whom: Whom;
  cents: number;
  until: Date;
  /** It ends soon. */
  again: boolean;
}

export function offerMail(academy: MailBrand, person: Addressed, offered: Offered): Message {
  const { whom, cents, until, again } = offered;
  const [name, who] = [oneLine(offered.name), whomIn(person, whom)];
  const count = whom.children.length + Number(whom.self);
  const [seat, isKept, it] = count > 1 ? ['Seats', 'are', 'them'] : ['A seat', 'is', 'it'];
  const ends = momentOf(academy, until);
  return letter(
    academy,
    person,
    again ? `Until ${ends}: ${seat.toLowerCase()} for ${who}` : `${seat} for ${who}: ${name}`,
    [
      `${seat} in ${name} ${isKept} kept for ${who} until ${ends}.`,
      factsOf([
        ['When', oneLine(offered.schedule)],
        ['Where', oneLine(offered.place)],
        ['Price', amount(academy, cents)],
        ['Kept until', ends],
      ]),
      `Take ${it} or say no: then the next family is asked. If you do neither, you are off the list of this class.`,
      toPage(academy, 'Look at the offer', '/dashboard/waiting', 'Take it or say no:'),
    ],
  );
}

export interface OffList extends RowOf<'class', 'name'> {
  classId: string;
  whom: Whom;
  /** The class is not sold any more. */
  closed: boolean;
  participantIds: readonly string[];
}

export function offTheListMail(
  academy: MailBrand,
  person: Addressed,
  { classId, whom, closed, participantIds, ...row }: OffList,
): Message {
  const [name, who] = [oneLine(row.name), whomIn(person, whom)];
  const is = who === 'you' || whom.self || whom.children.length > 1 ? 'are' : 'is';
  const says = `${who.charAt(0).toUpperCase()}${who.slice(1)} ${is} off the list for ${name}`;
  const back = `/classes/${classId}?list=${participantIds.join(',')}`;
  return letter(academy, person, says, [
    closed
      ? `${says}: no seat of this class is sold any more.`
      : `${says}: a seat was kept, and the time for it ran out.`,
    'You keep your place on every other list.',
    closed
      ? toPage(academy, 'See where you wait', '/dashboard/waiting', 'Your lists:')
      : toPage(
          academy,
          `Put ${whom.self ? 'me' : who} back on the list`,
          back,
          'To wait again, at the end of the list:',
        ),
  ]);
}
