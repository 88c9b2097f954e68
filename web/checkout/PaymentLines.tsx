// A row of a list of payments that paid for several seats, and opens to them. They are read when it is
// opened for the first time.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  getReceipt,
  type PaymentEntity,
  type ReceiptLine,
} from '../../contract/checkout/payments.ts';
import { query } from '../platform/api/query.ts';
import { ErrorNote, Skeleton } from '../platform/ui/States.tsx';
import { nameFor } from '../platform/ui/ForWhom.tsx';
import { Icon } from '../platform/ui/Icon.tsx';
import { price } from '../platform/ui/money.ts';

export function PaymentLines({ payment }: { payment: PaymentEntity }) {
  const [open, setOpen] = useState(false);
  if (payment.seats === undefined) return null;
  return (
    <details
      className="group mt-1 font-normal"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary
        className="text-primary inline-flex min-h-11 cursor-pointer list-none items-center gap-1 text-sm font-medium [&::-webkit-details-marker]:hidden"
        aria-label={`${payment.seats} seats of ${payment.receiptNumber}`}
      >
        {payment.seats} seats
        <Icon
          name="right"
          className="size-4 transition-transform group-open:rotate-90 motion-reduce:transition-none"
        />
      </summary>
      {open && <Lines id={payment._id} />}
    </details>
  );
}

function Lines({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(query(getReceipt, { id }));
  if (error && !data) return <ErrorNote message={error.message} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-16" />;
  return (
    <ul className="border-base-300 mt-1 border-l-2 pl-3 text-sm">
      {data.lines.map((line) => (
        <li key={line.lineId} className="flex justify-between gap-x-4 py-1 text-left">
          <span className="min-w-0 wrap-anywhere">
            {nameFor(line.name, line.participant)}
            {fate(line) && <span className="muted block text-xs">{fate(line)}</span>}
          </span>
          <span className="figures shrink-0">{price(line.cents)}</span>
        </li>
      ))}
    </ul>
  );
}

/** What has become of a seat. `enrolled` is said of one that is simply booked. */
export function fate(line: ReceiptLine, enrolled = ''): string {
  const { state, backCents, creditCents } = line;
  const toCard = backCents - creditCents;
  const back = toCard > 0 ? `${price(toCard)} back to the card` : '';
  const credit = creditCents > 0 ? `${price(creditCents)} back as credit` : '';
  const seat = { enrolled, ended: 'Ended', refused: 'Not booked' }[state];
  return [seat, back, credit].filter(Boolean).join(' · ');
}

/** A line that bought an enrolment. */
export type SoldLine = ReceiptLine & { enrolmentId: string };
