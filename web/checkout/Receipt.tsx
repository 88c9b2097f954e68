// /dashboard/receipt/:id: one payment as a receipt that can be printed or kept as a PDF. On paper
// the site around it is gone.
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import {
  getReceipt,
  type Receipt as Paid,
  type ReceiptLine,
  type ReceiptRefund,
} from '../../contract/checkout/payments.ts';
import { query, useSettings } from '../platform/api/query.ts';
import { PageHeading } from '../platform/ui/PageHeading.tsx';
import { dateOf, momentOf } from '../platform/ui/dates.ts';
import { paths } from '../platform/paths.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { Fact } from '../platform/ui/Card.tsx';
import { Button } from '../platform/ui/Button.tsx';
import { ForWhom, nameFor, whomOf } from '../platform/ui/ForWhom.tsx';
import { Logo } from '../platform/ui/Logo.tsx';
import { OnePage } from '../platform/ui/OnePage.tsx';
import { howPaid } from './howPaid.ts';
import { RefundChoice } from './RefundChoice.tsx';
import { price } from '../platform/ui/money.ts';

export function Receipt() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery(query(getReceipt, { id }));
  return (
    <div className="print:[&>nav]:hidden">
      <OnePage
        list={{ title: 'Payment history', to: paths.dashboard.paymentHistory }}
        title="Receipt"
        missing={{
          title: 'There is no such receipt',
          why: 'Your payment history has the receipts of all your payments.',
        }}
        error={error}
        onRetry={() => void refetch()}
      >
        {data && (
          <>
            <div className="print:hidden">
              <PageHeading
                title="Receipt"
                actions={<Button onClick={() => window.print()}>Print</Button>}
              />
            </div>
            <Paper receipt={data} />
          </>
        )}
      </OnePage>
    </div>
  );
}

function Paper({ receipt }: { receipt: Paid }) {
  const { user } = useSession();
  const { contact, logo, phone, street, city, country } = useSettings();
  const address = [street, city, country].filter(Boolean).join(', ');
  const { lines } = receipt;
  // An admin sees the receipts of others: nothing there is "for you".
  const mine = receipt.email === user?.email;
  const among = mine ? lines : [];
  // Twelve seats with their discounts fit on one page.
  const paper =
    lines.length > 3
      ? 'print:text-xs print:leading-tight print:[&_tbody_*]:text-[0.65rem] print:[&_tbody_*]:leading-tight print:[&_th_p]:ml-1.5 print:[&_th_p]:inline'
      : '';
  return (
    <article
      className={`max-w-2xl rounded-box border border-base-300 bg-base-100 p-5 sm:p-10 print:max-w-none print:border-0 print:bg-white print:p-0 print:text-black print:[&_.muted]:text-black ${paper}`}
    >
      <header className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4 border-b border-base-300 pb-6 print:pb-3">
        <div className="flex min-w-0 items-center gap-3">
          <Logo src={logo} />
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
            {street && <p className="muted text-sm wrap-anywhere">{address}</p>}
            {phone && <p className="muted text-sm">{phone}</p>}
          </div>
        </div>
        <div className="sm:text-right">
          <p className="muted text-sm">Receipt number</p>
          <p className="figures text-lg font-semibold">{receipt.receiptNumber}</p>
        </div>
      </header>
      <dl className="grid gap-x-8 gap-y-4 py-6 sm:grid-cols-2 print:grid-cols-2 print:py-3">
        <Fact term="Paid by">
          {receipt.customer}
          <span className="muted block text-sm font-normal">{receipt.email}</span>
        </Fact>
        <Fact term="Paid on">
          <time dateTime={receipt.date}>{momentOf(receipt.date, 'always')}</time>
          <span className="muted block text-sm font-normal">{howPaid(receipt)}</span>
        </Fact>
      </dl>
      <table className="w-full border-t border-base-300 text-left">
        <caption className="sr-only">What was paid</caption>
        <thead>
          <tr className="muted text-sm">
            <th scope="col" className="py-3 font-medium print:py-1">
              Class
            </th>
            <th scope="col" className="py-3 text-right font-medium print:py-1">
              {isPlain(receipt) ? 'Amount' : 'Price'}
            </th>
          </tr>
        </thead>
        {lines.map((line) => (
          <PaidLine key={line.lineId} line={line} among={among} receipt={receipt} />
        ))}
        <tfoot>
          <tr className="border-t-2 border-base-content">
            <th scope="row" className="py-4 text-lg font-semibold print:py-2">
              Total paid
            </th>
            <td className="figures py-4 text-right text-lg font-bold print:py-2">
              {price(receipt.cents)}
            </td>
          </tr>
        </tfoot>
      </table>
      <Refunds receipt={receipt} among={among} mine={mine} />
      <p className="muted mt-4 text-xs wrap-anywhere">Transaction: {receipt.transactionId}</p>
    </article>
  );
}

/** One seat at its price. */
const isPlain = ({ lines: [line, another] }: Paid) => !another && line?.why.length === 0;

/** Such a seat whose money is all back, or on its way: one sentence says so. */
const isBack = (receipt: Paid) =>
  isPlain(receipt) &&
  receipt.leftCents === 0 &&
  !receipt.refunds.some(({ choiceUntil }) => choiceUntil) &&
  receipt.backCents === receipt.cents &&
  (receipt.status === 'refunded' || receipt.status === 'refund_due');

const fates = {
  enrolled: null,
  ended: 'No longer booked',
  refused: 'Not booked: the seat could no longer be sold',
};

interface PaidLineProps {
  line: ReceiptLine;
  among: readonly ReceiptLine[];
  receipt: Paid;
}

/** Its price, and below it what each discount took off: the column adds up to the total. */
function PaidLine({ line, among, receipt }: PaidLineProps) {
  const fate = !isBack(receipt) && fates[line.state];
  const takesPlace = [line.schedule, line.place].filter(Boolean).join(' · ');
  return (
    <tbody className="border-t border-base-300 break-inside-avoid [&>tr:last-child>:is(th,td)]:pb-3 print:[&>tr:last-child>:is(th,td)]:pb-0.5">
      <tr>
        <th scope="row" className="pt-3 pb-1 font-semibold wrap-anywhere print:pt-0.5 print:pb-0">
          {line.name}
          <ForWhom name={line.participant} among={among} />
          <span className="muted block text-sm font-normal">
            {line.nowFor && <span className="block">Now for {line.nowFor}</span>}
            {takesPlace && (
              <span className="block print:inline print:after:content-['_·_']">{takesPlace}</span>
            )}
            With {line.instructor}
          </span>
          {fate && (
            <span className="text-warning block text-sm font-medium print:text-black">{fate}</span>
          )}
        </th>
        <td className="figures pt-3 pb-1 pl-4 text-right align-top print:pt-0.5 print:pb-0">
          {price(line.listCents)}
        </td>
      </tr>
      {line.why.map(({ text, cents }) => (
        <tr key={text} className="text-sm">
          <th scope="row" className="muted pb-1 pl-4 font-normal wrap-anywhere print:pb-0">
            {text}
          </th>
          <td className="figures pb-1 pl-4 text-right align-top whitespace-nowrap print:pb-0">
            −{price(cents)}
          </td>
        </tr>
      ))}
    </tbody>
  );
}

function Refunds({ receipt, among, mine }: Omit<PaidLineProps, 'line'> & { mine: boolean }) {
  const { refunds, lines, refundedAt } = receipt;
  if (isBack(receipt))
    return (
      <p className="mt-2 font-semibold">
        {refundedAt
          ? `Refunded in full on ${dateOf(refundedAt, 'always')}.`
          : 'The full amount is being returned to the card.'}
      </p>
    );
  const credited = lines.filter((line) => atOnce(receipt, line) > 0);
  if (refunds.length + credited.length === 0) return null;
  const nameOf = (line: ReceiptLine) => nameFor(line.name, whomOf(line.participant, among));
  const about = ({ lineId }: ReceiptRefund) => {
    const line = lines.find((one) => one.lineId === lineId);
    return line ? nameOf(line) : 'Credit paid out';
  };
  return (
    <table className="mt-2 w-full border-t border-base-300 text-left break-inside-avoid">
      <caption className="pt-3 pb-1 text-left font-semibold print:pt-1">Refunds</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Class</th>
          <th scope="col">Amount</th>
        </tr>
      </thead>
      <tbody>
        {refunds.map((refund) => (
          <tr key={refund.refundId}>
            <th scope="row" className="py-2 font-normal wrap-anywhere print:py-0.5">
              {about(refund)}
              <span className="muted block text-sm print:inline print:before:content-['_·_']">
                {inWords(refund)}
              </span>
              {mine && refund.choiceUntil && <RefundChoice refund={refund} />}
            </th>
            <td className="figures py-2 pl-4 text-right align-top whitespace-nowrap print:py-0.5">
              −{price(refund.cents)}
            </td>
          </tr>
        ))}
        {credited.map((line) => (
          <tr key={line.lineId}>
            <th scope="row" className="py-2 font-normal wrap-anywhere print:py-0.5">
              {nameOf(line)}
              <span className="muted block text-sm print:inline print:before:content-['_·_']">
                Back as credit
              </span>
            </th>
            <td className="figures py-2 pl-4 text-right align-top whitespace-nowrap print:py-0.5">
              −{price(atOnce(receipt, line))}
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className="border-t border-base-300">
          <th scope="row" className="py-3 font-semibold print:py-1">
            Paid after refunds
          </th>
          <td className="figures py-3 pl-4 text-right font-bold print:py-1">
            {price(paidAfter(receipt))}
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

/** What of a line became credit at once: without the refunds that were taken as credit. */
const atOnce = ({ refunds }: Paid, { lineId, creditCents }: ReceiptLine) =>
  refunds.reduce(
    (left, one) => (one.state === 'credit' && one.lineId === lineId ? left - one.cents : left),
    creditCents,
  );

/** What the bank has returned to the academy is still paid; credit paid out was not paid here. */
const paidAfter = ({ cents, refunds, lines }: Paid) =>
  refunds
    .filter(({ state, lineId }) => state !== 'failed' && state !== 'credit' && lineId !== null)
    .reduce(
      (left, refund) => left - refund.cents,
      lines.reduce((left, { creditCents }) => left - creditCents, cents),
    );

const inWords = ({ state, date, choiceUntil }: ReceiptRefund) =>
  choiceUntil
    ? `Goes to the card on ${dateOf(choiceUntil, 'always')}`
    : state === 'credit'
      ? `Taken as credit on ${dateOf(date, 'always')}`
      : state === 'succeeded'
        ? `Refunded to the card on ${dateOf(date, 'always')}`
        : state === 'failed'
          ? 'The bank returned it. The academy will be in touch'
          : `On its way to the card since ${dateOf(date, 'always')}`;
