// Who comes to the classes that are paid for, and a button that changes it: then the payment is opened
// anew. A seat for oneself is asked about before the card where the ages do not fit, or nobody knows.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { agesInWords } from '../../../../contract/ages.ts';
import { openBasket, quoteBasket } from '../../../../contract/checkout.ts';
import type { BasketLine } from '../../../../contract/lines.ts';
import { createIntent } from '../../../../contract/payments.ts';
import { query } from '../../../api/query.ts';
import { participants } from '../../../features/classes/participants.ts';
import { Button } from '../../../ui/Button.tsx';
import { CardSection } from '../../../ui/CardSection.tsx';
import { nameFor } from '../../../ui/ForWhom.tsx';
import { noDates } from '../../../ui/WhenWhere.tsx';
import { ChangeLink, ChangeWho } from '../ChangeWho.tsx';
import { HoldingSeats } from './HoldingSeats.tsx';

export function WhoGoes({ ids, children }: { ids: readonly string[]; children: ReactNode }) {
  const client = useQueryClient();
  const asked = query(quoteBasket, { items: ids.join(',') });
  const quote = useQuery({ ...asked, retry: false, staleTime: Infinity });
  const own = useQuery(participants).data?.find(({ self }) => self);
  const [changing, setChanging] = useState<BasketLine | null>(null);
  const [passed, setPassed] = useState<readonly string[]>([]);
  const lines = quote.data?.lines ?? [];
  const stop = lines.find((line) => line.unfit && !line.participant && !passed.includes(line.item));
  const { minAge = null, maxAge = null } = stop ?? {};
  const reopen = () => {
    for (const { id } of [createIntent, openBasket]) client.removeQueries({ queryKey: [id] });
    void client.resetQueries({ queryKey: [quoteBasket.id] });
  };
  if (quote.isPending) return <HoldingSeats />;
  return (
    <>
      {stop ? (
        <CardSection title="Who is it for?">
          <p className="wrap-anywhere">
            {stop.name} is for {agesInWords({ minAge, maxAge })}, and you have chosen yourself.
          </p>
          <Button size="large" onClick={() => setChanging(stop)}>
            Choose a child
          </Button>
          {own?.born && (
            <Button look="plain" onClick={() => setPassed([...passed, stop.item])}>
              It is for me
            </Button>
          )}
        </CardSection>
      ) : (
        <>
          <ul className="mb-4 empty:hidden">
            {lines
              .filter(({ participant, undated }) => participant ?? undated)
              .map((line) => (
                <li key={line.item} className="flex flex-wrap items-center gap-x-2 text-sm">
                  <span className="wrap-anywhere">{nameFor(line.name, line.participant)}</span>
                  {line.undated && <span className="text-warning font-medium">{noDates}</span>}
                  {line.participant && (
                    <ChangeLink
                      of={nameFor(line.name, line.participant)}
                      onChange={() => setChanging(line)}
                    />
                  )}
                </li>
              ))}
          </ul>
          {children}
        </>
      )}
      {changing && (
        <ChangeWho
          item={{ ...changing, _id: changing.item }}
          onClose={() => setChanging(null)}
          onChanged={reopen}
        />
      )}
    </>
  );
}
