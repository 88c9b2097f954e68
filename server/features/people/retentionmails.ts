// The mails 30 days before something of a family is deleted. They do not name the child: the link
// leads to it.
import type { Message } from '../../outside/mail.ts';
import { type Academy, type Greeted, hello, signed } from '../mails.ts';

const page = ({ publicUrl }: Academy, participantId: string) =>
  `${publicUrl}/dashboard/family/${participantId}`;

export const careEndsMail = (
  academy: Academy,
  person: Greeted,
  participantId: string,
): Message => ({
  to: person.email,
  subject: 'Care facts will be deleted in 30 days',
  text: signed(
    academy,
    hello(person),
    'You gave us care facts (health, emergency contacts, who may pick up) and have had no class for almost a year. We delete them in 30 days. To keep them for another year, open this page and confirm that they are still right:',
    page(academy, participantId),
    'If you do not need them any more, there is nothing to do.',
  ),
  about: [participantId],
});

/** Of a child who never had a class. */
export const childEndsMail = (
  academy: Academy,
  person: Greeted,
  participantId: string,
): Message => ({
  to: person.email,
  subject: 'A child in your account will be removed in 30 days',
  text: signed(
    academy,
    hello(person),
    'Your account has a child who was never enrolled in a class, and nothing about it has changed for almost two years. We remove it in 30 days. To keep it, open this page and save it again, or book a class:',
    page(academy, participantId),
    'If you do not need it any more, there is nothing to do.',
  ),
  about: [participantId],
});
