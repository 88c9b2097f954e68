// A seat that is kept for somebody who waits: take it, or say no.
import type { Wait, Wish } from '../../../contract/checkout/waits.ts';
import { endWait } from '../../../contract/checkout/waits.ts';
import { CallButton } from '../../platform/api/CallButton.tsx';
import { isYou, namesOf } from '../../classes/listWords.ts';
import { paths } from '../../platform/paths.ts';
import { LinkButton } from '../../platform/ui/Button.tsx';
import { price } from '../../platform/ui/money.ts';
import { Note } from '../../platform/ui/Note.tsx';
import { untilInWords } from './until.ts';

interface OfferProps {
  wait: Wait;
  wish: Wish;
  /** The one solid button of the page. */
  isMain?: boolean;
}

export function Offer({ wait, wish, isMain = false }: OfferProps) {
  const { name, until, cents, holds, kept } = wish;
  const title = `${kept > 1 ? `${kept} seats` : 'A seat'} in ${name} ${kept > 1 ? 'are' : 'is'} kept for ${namesOf(wait)}`;
  return (
    <Note
      tone="ok"
      announced="politely"
      title={title}
      action={
        <>
          <LinkButton
            look={isMain ? 'primary' : 'outline'}
            to={
              wait.instead && holds[0]
                ? paths.dashboard.paymentInstead(holds[0], wait.instead)
                : paths.dashboard.paymentOfAll(holds)
            }
            of={name}
          >
            Take {kept > 1 ? 'them' : 'it'}
          </LinkButton>
          <CallButton
            look="plain"
            of={name}
            call={endWait}
            input={{ id: wait.id, classId: wish.classId }}
            said="The next family is asked"
            sure={{
              title: 'Let it go?',
              text: `The next family gets the seat. ${isYou(wait) ? 'You leave' : `${namesOf(wait)} leaves`} the list of ${name}.`,
              yes: 'No thanks',
              no: 'Back',
            }}
          >
            No thanks
          </CallButton>
        </>
      }
    >
      <p className="figures">
        Until {until && <strong>{untilInWords(until)}</strong>}
        {cents !== null && ` · ${price(cents)}`}
      </p>
    </Note>
  );
}

/** While the seats of a group are gathered. */
export const Gathering = ({ wait, wish }: OfferProps) => (
  <Note title={`${wish.kept} of ${wait.seats} seats in ${wish.name} are kept for ${namesOf(wait)}`}>
    <p>{wish.until && `Until ${untilInWords(wish.until)}. `}We tell you when all are there.</p>
  </Note>
);
