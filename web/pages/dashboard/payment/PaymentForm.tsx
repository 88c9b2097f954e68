// The held seat and the form that pays for it: the card form and the summary next to it.
import { useState } from 'react';
import type { Answer } from '../../../../contract/call.ts';
import type { CartItem } from '../../../../contract/cart.ts';
import type { createIntent } from '../../../../contract/payments.ts';
import { useSecondsLeft } from '../../../api/clock.ts';
import { CardPanel } from './CardPanel.tsx';
import { Summary } from './Summary.tsx';

interface PaymentFormProps {
  item: CartItem;
  intent: Answer<typeof createIntent>;
  user: { name: string; email: string };
  onHoldAgain: () => void;
}

export function PaymentForm({ item, intent, user, onHoldAgain }: PaymentFormProps) {
  const seconds = useSecondsLeft(intent.expiresAt);
  const [closed, setClosed] = useState(false);
  const onClosed = () => setClosed(true);

  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <CardPanel
        intent={intent}
        user={user}
        expired={seconds === 0}
        closed={closed}
        onClosed={onClosed}
        onHoldAgain={onHoldAgain}
      />
      <Summary item={item} intent={intent} seconds={closed ? null : seconds} onClosed={onClosed} />
    </div>
  );
}
