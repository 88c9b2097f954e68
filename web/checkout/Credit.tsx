// /dashboard/credit: what there is to spend, each entry with the balance after it, and paying it out.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { type CreditEntry, getCredit, payOutCredit } from '../../contract/checkout/credit.ts';
import { cents as centsOf } from '../../contract/platform/rules.ts';
import { useSendForm } from '../platform/api/form.ts';
import { query, useCall, useSettings } from '../platform/api/query.ts';
import { ListPage } from '../platform/lists/ListPage.tsx';
import { useListing } from '../platform/lists/listing.ts';
import { paths } from '../platform/paths.ts';
import { success, toast } from '../platform/ui/alert.ts';
import { Amount } from '../platform/ui/Amount.tsx';
import { Button, LinkButton } from '../platform/ui/Button.tsx';
import { Field } from '../platform/ui/Field.tsx';
import { FormDialog } from '../platform/ui/FormDialog.tsx';
import { currencyName } from '../platform/ui/locale.ts';
import { asTyped, decimal, price } from '../platform/ui/money.ts';
import { EmptyState } from '../platform/ui/States.tsx';
import { type Column, When } from '../platform/ui/Table.tsx';

export function Credit() {
  const listing = useListing();
  const { page, limit } = listing.input;
  const credit = useQuery({
    ...query(getCredit, { page, limit }),
    placeholderData: keepPreviousData,
  });
  const [open, setOpen] = useState(false);
  const { cents = 0, reservedCents = 0 } = credit.data ?? {};
  return (
    <ListPage
      title="Credit"
      lead="What the academy owes you. It pays your next class, and never ends."
      above={
        credit.data && (
          <div className="card-frame mb-4 flex-row flex-wrap items-center justify-between">
            <p>
              <Amount cents={cents} className="text-3xl font-bold" /> to spend
              {reservedCents > 0 && (
                <span className="meta block">{price(reservedCents)} in a payment under way</span>
              )}
            </p>
            {cents > 0 && (
              <Button look="outline" className="min-h-11" onClick={() => setOpen(true)}>
                Pay it out
              </Button>
            )}
          </div>
        )
      }
      caption="Entries"
      columns={columns}
      rows={credit.data?.entries}
      rowKey={({ at, cents: moved, afterCents }) => `${at} ${moved} ${afterCents}`}
      listing={listing}
      query={credit}
      empty={
        <EmptyState
          title="No credit yet"
          action={<LinkButton to={paths.classes}>See all classes</LinkButton>}
        >
          When a class ends early you may choose credit in place of your card.
        </EmptyState>
      }
    >
      {open && <PayOut cents={cents} onClose={() => setOpen(false)} />}
    </ListPage>
  );
}

const columns: readonly Column<CreditEntry>[] = [
  {
    title: 'For',
    part: 'lead',
    cell: ({ why, paymentId }) =>
      paymentId ? (
        <Link to={paths.dashboard.receipt(paymentId)} className="link-hover">
          {why}
        </Link>
      ) : (
        why
      ),
  },
  { title: 'Date', cell: ({ at }) => <When at={at} /> },
  { title: 'Amount', numeric: true, cell: ({ cents }) => signed(cents) },
  { title: 'Then there was', numeric: true, cell: ({ afterCents }) => price(afterCents) },
];

const signed = (cents: number) => `${cents < 0 ? '−' : '+'}${price(Math.abs(cents))}`;

function PayOut({ cents, onClose }: { cents: number; onClose: () => void }) {
  const payOut = useCall(payOutCredit);
  const { contact } = useSettings();
  const form = useSendForm({
    defaultValues: { cents: asTyped((cents / 100).toFixed(2)) },
    send: async (typed, { setError }) => {
      const wanted = centsOf(decimal(typed.cents));
      if (!wanted || wanted > cents) {
        setError('cents', { message: `Must be an amount up to ${price(cents)}` });
        return;
      }
      const { cardCents, deskCents } = await payOut.mutateAsync({ cents: wanted });
      onClose();
      if (deskCents === 0) return toast(`${price(cardCents)} is on its way to your card`);
      const ask = `No card of yours can take ${price(deskCents)}. It stays your credit: ask the academy to pay it out${contact && ` (${contact})`}.`;
      const title = cardCents > 0 ? `${price(cardCents)} is on its way` : 'Ask the academy';
      return void success(title, ask);
    },
  });
  return (
    <FormDialog title="Pay it out" form={form} submit="Pay it out" onClose={onClose}>
      <p>It goes to the cards you have paid with, the newest first.</p>
      <Field
        label="Amount"
        type="text"
        inputMode="decimal"
        required
        data-focus-first
        autoComplete="off"
        maxLength={9}
        hint={`In ${currencyName()}, up to ${price(cents)}.`}
        className="min-h-11"
        {...form.field('cents')}
      />
    </FormDialog>
  );
}
