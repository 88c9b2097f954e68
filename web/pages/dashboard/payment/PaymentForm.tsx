// The held seat and the form that pays for it: the card form and the summary next to it.
import { Elements } from '@stripe/react-stripe-js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Answer } from '../../../../contract/call.ts';
import type { CartItem } from '../../../../contract/cart.ts';
import { settings } from '../../../../contract/identity.ts';
import type { createIntent } from '../../../../contract/payments.ts';
import { useSecondsLeft } from '../../../api/clock.ts';
import { query } from '../../../api/query.ts';
import { loadCards } from '../../../features/checkout/cards.ts';
import { ErrorNote } from '../../../ui/States.tsx';
import { CardForm } from './CardForm.tsx';
import { SandboxNote } from './SandboxNote.tsx';
import { Summary } from './Summary.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import * as icons from '../../../ui/dashboardicons.ts';

interface PaymentFormProps {
  item: CartItem;
  intent: Answer<typeof createIntent>;
  user: { name: string; email: string };
  onHoldAgain: () => void;
}

export function PaymentForm({ item, intent, user, onHoldAgain }: PaymentFormProps) {
  const { data: site } = useQuery({ ...query(settings, {}), staleTime: Infinity });
  const cards = useQuery({
    queryKey: ['card form'],
    queryFn: () =>
      site ? loadCards(site.cards) : Promise.reject(new Error('The card form is not ready.')),
    enabled: site !== undefined,
    retry: false,
    staleTime: Infinity,
    // It is the provider's object, not data of ours.
    structuralSharing: false,
  });
  const seconds = useSecondsLeft(intent.expiresAt);
  const [closed, setClosed] = useState(false);
  const onClosed = () => setClosed(true);

  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <section
        aria-labelledby="card"
        className="card border border-base-300 bg-base-100 max-lg:order-last"
      >
        <div className="card-body gap-5 p-5 sm:p-7">
          <h2 id="card" className="flex items-center gap-2 text-lg">
            <Icon name={icons.lock} className="text-primary size-5" stroke={2.25} />
            Pay by card
          </h2>
          {site?.cards.sandbox && <SandboxNote />}
          {cards.error ? (
            <ErrorNote message={cards.error.message} onRetry={() => void cards.refetch()} />
          ) : (
            <Elements stripe={cards.data ?? null}>
              <CardForm
                intent={intent}
                user={user}
                expired={seconds === 0}
                closed={closed}
                onClosed={onClosed}
                onHoldAgain={onHoldAgain}
              />
            </Elements>
          )}
        </div>
      </section>
      <Summary item={item} intent={intent} seconds={closed ? null : seconds} onClosed={onClosed} />
    </div>
  );
}
