// At the top of every page of the dashboard: what is offered to the family. Read with every page, and
// every half minute while somebody waits.
import { useQuery } from '@tanstack/react-query';
import { listWaits } from '../../../contract/checkout/waits.ts';
import { query } from '../../platform/api/query.ts';
import { Gathering, Offer } from './Offer.tsx';

const everyMs = 30_000;

export function Offers() {
  const { data: waits = [] } = useQuery({
    ...query(listWaits, {}),
    staleTime: 5_000,
    refetchInterval: ({ state }) => (state.data?.some(({ open }) => open) ? everyMs : false),
  });
  const shown = waits.flatMap((wait) =>
    wait.classes
      .filter(({ state }) => state === 'offered' || state === 'gathering')
      .map((wish) => ({ wait, wish })),
  );
  if (shown.length === 0) return null;
  return (
    <section aria-label="Offers" className="mb-6 flex flex-col gap-3 print:hidden">
      {shown.map(({ wait, wish }) =>
        wish.state === 'offered' && wish.holds.length > 0 ? (
          <Offer key={wait.id} wait={wait} wish={wish} />
        ) : (
          wish.state === 'gathering' && <Gathering key={wait.id} wait={wait} wish={wish} />
        ),
      )}
    </section>
  );
}
