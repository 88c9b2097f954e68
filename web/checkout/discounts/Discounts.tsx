// /dashboard/discounts: the four kinds of discounts, those that exist with their uses and the money
// given, and their end.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Discount, endDiscount, listDiscounts } from '../../../contract/checkout/discounts.ts';
import { type DiscountKind, kindNames } from '../../../contract/checkout/pricing.ts';
import { CallButton } from '../../platform/api/CallButton.tsx';
import { query } from '../../platform/api/query.ts';
import { useListing } from '../../platform/lists/listing.ts';
import { ListPage } from '../../platform/lists/ListPage.tsx';
import { Button } from '../../platform/ui/Button.tsx';
import { Icon } from '../../platform/ui/Icon.tsx';
import { EmptyState } from '../../platform/ui/States.tsx';
import type { Column } from '../../platform/ui/Table.tsx';
import * as icons from '../../platform/ui/dashboardicons.ts';
import { dayName } from '../../platform/ui/dates.ts';
import { price } from '../../platform/ui/money.ts';
import { CouponForm } from './CouponForm.tsx';
import { EarlyForm } from './EarlyForm.tsx';
import { inWords } from './examples.ts';
import { RankForm } from './RankForm.tsx';

/** In the order in which they apply. */
const kinds: readonly (readonly [DiscountKind, string])[] = [
  ['early', 'A percentage for those who book before a day.'],
  ['classes', 'Less for the second class of one child.'],
  ['siblings', 'Less for the second child of a family.'],
  ['coupon', 'A code that takes something off the whole cart.'],
];

export function Discounts() {
  const listing = useListing();
  const discounts = useQuery(
    query(listDiscounts, { page: listing.page, limit: listing.input.limit }),
  );
  const [adding, setAdding] = useState<DiscountKind | null>(null);
  const rows = discounts.data?.items;
  const replaced = rows?.find(({ kind, state }) => kind === adding && state === 'on');
  const close = () => setAdding(null);
  return (
    <ListPage
      title="Discounts"
      lead="Every discount that fits applies, in this order, each on what the one before left. One more class never lowers the total."
      caption="Discounts"
      above={<Kinds onAdd={setAdding} />}
      columns={columns}
      rows={rows}
      rowKey={({ discountId }) => discountId}
      listing={listing}
      query={discounts}
      empty={
        <EmptyState title="No discounts yet" drawing="no-results">
          Every class costs its price. Choose one of the four above.
        </EmptyState>
      }
    >
      {adding === 'early' && <EarlyForm onClose={close} />}
      {adding === 'coupon' && <CouponForm onClose={close} />}
      {(adding === 'classes' || adding === 'siblings') && (
        <RankForm kind={adding} replaces={replaced?.name} onClose={close} />
      )}
    </ListPage>
  );
}

function Kinds({ onAdd }: { onAdd: (kind: DiscountKind) => void }) {
  return (
    <ol className="mb-8 grid grid-cols-[repeat(auto-fit,minmax(min(100%,13rem),1fr))] gap-3">
      {kinds.map(([kind, text], index) => (
        <li key={kind} className="card-frame discount-kind">
          <div className="min-w-0 flex-1">
            <h2 className="text-base">
              <span className="muted figures">{index + 1}. </span>
              {kindNames[kind]}
            </h2>
            <p className="muted text-sm">{text}</p>
          </div>
          <Button
            look="outline"
            className="min-h-11 sm:self-start"
            of={kindNames[kind]}
            onClick={() => onAdd(kind)}
          >
            <Icon name={icons.plus} /> Add
          </Button>
        </li>
      ))}
    </ol>
  );
}

const states = {
  on: ['in force', 'badge-success'],
  over: ['over', 'badge-neutral'],
  ended: ['ended', 'badge-neutral'],
} as const;

const columns: readonly Column<Discount>[] = [
  {
    title: 'Name',
    part: 'lead',
    cell: (discount) => (
      <>
        {discount.name}
        <p className="muted text-sm font-normal">{kindNames[discount.kind]}</p>
        {discount.code && <p className="figures text-sm font-medium">{discount.code}</p>}
      </>
    ),
  },
  {
    title: 'Gives',
    long: true,
    cell: (discount) => (
      <>
        {inWords(discount)}
        {(discount.className || discount.sport) && (
          <span className="muted"> on {discount.className || discount.sport}</span>
        )}
      </>
    ),
  },
  {
    title: 'Last day',
    cell: ({ until }) => (until ? dayName(until) : <span className="muted">None</span>),
  },
  {
    title: 'Uses',
    numeric: true,
    cell: ({ uses, usesMost }) => (usesMost === null ? uses : `${uses} of ${usesMost}`),
  },
  { title: 'Given', numeric: true, cell: ({ givenCents }) => price(givenCents) },
  {
    title: 'State',
    cell: ({ state }) => <span className={`badge ${states[state][1]}`}>{states[state][0]}</span>,
  },
  {
    title: 'Actions',
    part: 'actions',
    cell: (discount) =>
      discount.state !== 'ended' && (
        <CallButton
          size="small"
          look="plain"
          of={discount.name}
          call={endDiscount}
          input={{ id: discount.discountId, ended: true }}
          sure={{
            title: `End ${discount.name}?`,
            text: 'Payments that have begun with it keep it. It cannot be taken back.',
            yes: 'End',
            danger: true,
          }}
          said="Discount ended"
          refused="It is still in force"
        >
          End
        </CallButton>
      ),
  },
];
