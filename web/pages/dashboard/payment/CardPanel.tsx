// The card form in its frame: loads the card provider, and says so when that fails.
import { Elements } from '@stripe/react-stripe-js';
import { useQuery } from '@tanstack/react-query';
import { settings } from '../../../../contract/identity.ts';
import { query } from '../../../api/query.ts';
import { loadCards } from '../../../features/checkout/cards.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { ErrorNote } from '../../../ui/States.tsx';
import * as icons from '../../../ui/dashboardicons.ts';
import { CardForm, type CardFormProps } from './CardForm.tsx';
import { SandboxNote } from './SandboxNote.tsx';

export function CardPanel(form: CardFormProps) {
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
  return (
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
            <CardForm {...form} />
          </Elements>
        )}
      </div>
    </section>
  );
}
