// Books seats for which nothing is to be paid: no card, one button.
import { payBasket } from '../../../../contract/checkout.ts';
import { useCall } from '../../../api/query.ts';
import { readable } from '../../../api/send.ts';
import { SendConfirmation } from '../../../features/auth/SendConfirmation.tsx';
import { Button } from '../../../ui/Button.tsx';
import { CardSection } from '../../../ui/CardSection.tsx';
import { ErrorNote } from '../../../ui/States.tsx';
import { TermsNote } from './TermsNote.tsx';
import { useBooked } from './usePayment.ts';

interface FreePanelProps {
  basketId: string;
  name: string;
  expired: boolean;
  onHoldAgain: () => void;
}

export function FreePanel({ basketId, name, expired, onHoldAgain }: FreePanelProps) {
  const pay = useCall(payBasket);
  const showBooked = useBooked(name);
  const confirm = () =>
    pay.mutate({ id: basketId }, { onSuccess: (paid) => void showBooked(paid) });
  return (
    <CardSection title="Nothing to pay">
      <p>Your discounts cover the whole price. No card is needed.</p>
      {pay.error && <ErrorNote message={readable(pay.error)} />}
      {pay.error?.code === 'EMAIL_NOT_CONFIRMED' && <SendConfirmation />}
      {expired || pay.error?.code === 'HOLD_EXPIRED' ? (
        <div role="alert" className="alert alert-warning alert-soft flex flex-col items-stretch">
          <p>Time is up. Nothing was booked.</p>
          <Button className="w-full" onClick={onHoldAgain}>
            Hold the seats again
          </Button>
        </div>
      ) : (
        <Button size="large" className="w-full" busy={pay.isPending} onClick={confirm}>
          Confirm, nothing to pay
        </Button>
      )}
      <TermsNote />
    </CardSection>
  );
}
