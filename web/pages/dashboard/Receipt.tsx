// /dashboard/receipt/:id: one payment as a receipt that can be printed or kept as a PDF. On paper
// the site around it is gone.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { getReceipt } from '../../../contract/payments.ts';
import type { Receipt as Paid } from '../../../contract/payments.ts';
import { query, useSettings } from '../../api/query.ts';
import { PageHeading } from '../../ui/PageHeading.tsx';
import { dateOf, momentOf } from '../../ui/dates.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/Button.tsx';
import { ForWhom } from '../../ui/ForWhom.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { EmptyState, ErrorNote, Skeleton } from '../../ui/States.tsx';
import { money } from '../../ui/money.ts';

export function Receipt() {
  const { id = '' } = useParams();
  const receipt = useQuery(query(getReceipt, { id }));
  const back = (
    <LinkButton look="plain" to={paths.dashboard.paymentHistory}>
      Payment history
    </LinkButton>
  );

  return (
    <>
      <div className="print:hidden">
        <PageHeading
          title="Receipt"
          actions={
            <>
              {back}
              <Button disabled={!receipt.data} onClick={() => window.print()}>
                Print
              </Button>
            </>
          }
        />
      </div>
      {receipt.isPending && <Skeleton className="h-96 max-w-2xl" />}
      {receipt.data && <Paper receipt={receipt.data} />}
      {receipt.error && !receipt.data && (
        <Missing
          status={receipt.error.status}
          message={receipt.error.message}
          onRetry={() => void receipt.refetch()}
        />
      )}
    </>
  );
}

function Missing({
  status,
  message,
  onRetry,
}: {
  status: number;
  message: string;
  onRetry: () => void;
}) {
  if (status !== 404 && status !== 400) return <ErrorNote message={message} onRetry={onRetry} />;
  return (
    <EmptyState
      title="There is no such receipt"
      action={<LinkButton to={paths.dashboard.paymentHistory}>Payment history</LinkButton>}
    >
      Your payment history has the receipts of all your payments.
    </EmptyState>
  );
}

function Paper({ receipt }: { receipt: Paid }) {
  const { contact } = useSettings();
  const refund = receipt.status === 'refunded' || receipt.status === 'refund_due';
  const takesPlace = [receipt.schedule, receipt.place].filter(Boolean).join(' · ');
  return (
    <article className="max-w-2xl rounded-box border border-base-300 bg-base-100 p-6 sm:p-10 print:max-w-none print:border-0 print:bg-white print:p-0 print:text-black print:[&_.muted]:text-black">
      <header className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4 border-b border-base-300 pb-6">
        <div className="flex min-w-0 items-center gap-3">
          <Logo />
          <div className="min-w-0">
            <p className="text-lg font-semibold wrap-anywhere">{receipt.brand}</p>
            {contact && (
              <a
                href={`mailto:${contact}`}
                className="muted text-sm wrap-anywhere underline-offset-4 hover:underline"
              >
                {contact}
              </a>
            )}
          </div>
        </div>
        <div className="sm:text-right">
          <p className="muted text-sm">Receipt number</p>
          <p className="figures text-lg font-semibold">{receipt.receiptNumber}</p>
        </div>
      </header>
      <dl className="grid gap-x-8 gap-y-4 py-6 sm:grid-cols-2">
        <Line term="Paid by">
          {receipt.customer}
          <span className="muted block text-sm font-normal">{receipt.email}</span>
        </Line>
        <Line term="Paid on">
          <time dateTime={receipt.date}>{momentOf(receipt.date, 'always')}</time>
          <span className="muted block text-sm font-normal">By card</span>
        </Line>
      </dl>
      <table className="w-full border-t border-base-300 text-left">
        <caption className="sr-only">What was paid</caption>
        <thead>
          <tr className="muted text-sm">
            <th scope="col" className="py-3 font-medium">
              Class
            </th>
            <th scope="col" className="py-3 text-right font-medium">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          <tr className="border-t border-base-300">
            <th scope="row" className="py-4 font-semibold wrap-anywhere">
              {receipt.itemName}
              <ForWhom name={receipt.participant} />
              <span className="muted block text-sm font-normal">
                {takesPlace && <span className="block">{takesPlace}</span>}
                With {receipt.instructor}
              </span>
            </th>
            <td className="figures py-4 pl-4 text-right align-top">{money(receipt.price)}</td>
          </tr>
        </tbody>
        <tfoot>
          <tr className="border-t-2 border-base-content">
            <th scope="row" className="py-4 text-lg font-semibold">
              Total paid
            </th>
            <td className="figures py-4 text-right text-lg font-bold">{money(receipt.price)}</td>
          </tr>
        </tfoot>
      </table>
      {refund && (
        <p className="mt-2 font-semibold">
          {receipt.refundedAt
            ? `Refunded in full on ${dateOf(receipt.refundedAt, 'always')}.`
            : 'The full amount is being returned to the card.'}
        </p>
      )}
      <p className="muted mt-4 text-xs wrap-anywhere">Transaction: {receipt.transactionId}</p>
    </article>
  );
}

function Line({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="muted text-sm">{term}</dt>
      <dd className="font-semibold wrap-anywhere">{children}</dd>
    </div>
  );
}
