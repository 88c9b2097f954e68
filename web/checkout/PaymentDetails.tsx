// /dashboard/payments/{id}: one payment for the admin: its seats, what went back, the refund of all
// or of a part, and the end of an enrolment that has no money left.
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useParams } from 'react-router';
import {
  getReceipt,
  overrideEnrolment,
  type Receipt,
  type ReceiptLine,
  type ReceiptRefund,
} from '../../contract/checkout/payments.ts';
import { query, useCall } from '../platform/api/query.ts';
import { fate, type SoldLine } from './PaymentLines.tsx';
import { SettledDialog } from './SettledDialog.tsx';
import { StripeLink } from './StripeLink.tsx';
import { howPaid } from './howPaid.ts';
import { isRefundable, RefundDialog, toldToFamily } from './RefundDialog.tsx';
import { StatusBadge } from '../classes/StatusBadge.tsx';
import { paths } from '../platform/paths.ts';
import { Button, LinkButton } from '../platform/ui/Button.tsx';
import { Card, Fact } from '../platform/ui/Card.tsx';
import { Email } from '../platform/ui/Email.tsx';
import { ForWhom, nameFor } from '../platform/ui/ForWhom.tsx';
import { OnePage } from '../platform/ui/OnePage.tsx';
import { PageHeading } from '../platform/ui/PageHeading.tsx';
import { momentOf } from '../platform/ui/dates.ts';
import { price } from '../platform/ui/money.ts';
import { onDemand } from '../platform/ui/onDemand.tsx';
import { TextDialog } from '../platform/ui/TextDialog.tsx';

const PartRefundDialog = onDemand(() =>
  import('./PartRefundDialog.tsx').then((m) => m.PartRefundDialog),
);

/** A refund is sent by a job, most often within a second. */
const isMoving = ({ state }: ReceiptRefund) => state === 'due' || state === 'sent';

export function PaymentDetails() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery({
    ...query(getReceipt, { id }),
    refetchInterval: ({ state }) =>
      (state.data?.status === 'refund_due' || state.data?.refunds.some(isMoving)) &&
      state.dataUpdateCount < 30 &&
      2_000,
  });
  return (
    <OnePage
      list={{ title: 'Payments', to: paths.dashboard.payments }}
      title="Payment"
      missing={{ title: 'There is no such payment', why: 'The link may have a typo.' }}
      error={error}
      onRetry={() => void refetch()}
    >
      {data && <Details receipt={data} />}
    </OnePage>
  );
}

const isSold = (line: ReceiptLine): line is SoldLine => line.enrolmentId !== null;

function Details({ receipt }: { receipt: Receipt }) {
  const [open, setOpen] = useState<'all' | SoldLine | null>(null);
  const close = useCallback(() => setOpen(null), []);
  const seat = open === 'all' ? null : open;
  const { lines, refunds } = receipt;
  const isDisputed = receipt.status === 'disputed';
  return (
    <>
      <PageHeading
        title={`Payment ${receipt.receiptNumber}`}
        shown={
          <>
            Payment <span className="whitespace-nowrap">{receipt.receiptNumber}</span>
          </>
        }
        actions={
          <>
            <LinkButton look="outline" to={paths.dashboard.receipt(receipt.paymentId)}>
              Receipt
            </LinkButton>
            {isRefundable(receipt) && (
              <Button look="outline" onClick={() => setOpen('all')}>
                Refund all
              </Button>
            )}
          </>
        }
      />
      <div className="flex max-w-3xl flex-col gap-6">
        <Card title="Paid" actions={<StatusBadge status={receipt.status} />}>
          <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
            <Fact term="By">
              {receipt.customer}
              <span className="muted block text-sm font-normal">
                <Email address={receipt.email} />
              </span>
            </Fact>
            <Fact term="On">
              <time dateTime={receipt.date}>{momentOf(receipt.date)}</time>
            </Fact>
            <Fact term="Amount">
              <span className="figures">{price(receipt.cents)}</span>
              <span className="muted block text-sm font-normal">{howPaid(receipt)}</span>
            </Fact>
            <Fact term="Transaction">
              <span className="text-sm font-normal">{receipt.transactionId}</span>{' '}
              {receipt.transactionId.startsWith('pi_') && (
                <StripeLink intentId={receipt.transactionId} />
              )}
            </Fact>
          </dl>
        </Card>
        <Card title={lines.length === 1 ? 'Seat' : `${lines.length} seats`}>
          <ul className="divide-base-300 divide-y">
            {lines.map((line) => (
              <LineItem
                key={line.lineId}
                line={line}
                onOpen={!isDisputed && isSold(line) ? () => setOpen(line) : null}
              />
            ))}
          </ul>
        </Card>
        {refunds.length > 0 && (
          <Card title="Refunds">
            <ul className="divide-base-300 divide-y">
              {refunds.map((refund) => (
                <RefundItem
                  key={refund.refundId}
                  refund={refund}
                  of={lines.find(({ lineId }) => lineId === refund.lineId)}
                />
              ))}
            </ul>
          </Card>
        )}
      </div>
      {open === 'all' && <RefundDialog payment={receipt} onClose={close} />}
      {seat && seat.leftCents > 0 && <PartRefundDialog line={seat} onClose={close} />}
      {seat && seat.leftCents === 0 && <EndDialog line={seat} onClose={close} />}
    </>
  );
}

/** What an admin can do about a seat of a payment that is not disputed. */
const actOn = (line: ReceiptLine) =>
  line.leftCents > 0 ? 'Refund this class' : line.state === 'enrolled' ? 'End the enrolment' : null;

function LineItem({ line, onOpen }: { line: ReceiptLine; onOpen: (() => void) | null }) {
  const act = actOn(line);
  const [settles, setSettles] = useState(false);
  const { objection, objectionAbout, enrolmentId } = line;
  const asks =
    objectionAbout === 'money'
      ? 'The family asks about leaving'
      : 'New dates do not suit the family';
  return (
    <li className="grid grid-cols-[1fr_auto] items-start gap-x-4 gap-y-2 py-4 first:pt-0 last:pb-0 sm:grid-cols-[1fr_auto_10rem] sm:items-center">
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">{line.name}</p>
        <ForWhom name={line.participant} />
        {line.why.map(({ text, cents }) => (
          <p key={text} className="muted figures text-sm">
            {text} −{price(cents)}
          </p>
        ))}
        <p className="muted text-sm">{fate(line, 'Seat taken')}</p>
        {objection !== null && (
          <>
            <p className="text-warning mt-2 font-medium wrap-anywhere">
              {asks}
              {objection && `: ${objection}`}
            </p>
            <Button look="outline" className="mt-2" onClick={() => setSettles(true)}>
              Settled, keeps the seat
            </Button>
          </>
        )}
      </div>
      <span className="figures text-right font-semibold">{price(line.cents)}</span>
      {onOpen && act && (
        <Button
          look="outline"
          className="justify-self-start sm:justify-self-end"
          of={nameFor(line.name, line.participant)}
          onClick={onOpen}
        >
          {act}
        </Button>
      )}
      {settles && enrolmentId && (
        <SettledDialog id={enrolmentId} onClose={() => setSettles(false)} />
      )}
    </li>
  );
}

const states: Record<ReceiptRefund['state'], string> = {
  due: 'Being sent',
  sent: 'On its way',
  succeeded: 'Refunded',
  failed: 'Failed',
  credit: 'Taken as credit',
};

function RefundItem({ refund, of }: { refund: ReceiptRefund; of: ReceiptLine | undefined }) {
  return (
    <li className="grid grid-cols-[1fr_auto] gap-x-4 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0">
        <p className="wrap-anywhere">{refund.reason}</p>
        <p className="muted text-sm">
          {of && `${nameFor(of.name, of.participant)} · `}
          {refund.choiceUntil ? 'The family may choose' : states[refund.state]} ·{' '}
          <time dateTime={refund.date}>{momentOf(refund.date)}</time>
        </p>
      </div>
      <span className="figures text-right font-semibold whitespace-nowrap">
        −{price(refund.cents)}
      </span>
    </li>
  );
}

/** Of a seat whose money is all back or that was free. */
function EndDialog({ line, onClose }: { line: SoldLine; onClose: () => void }) {
  const override = useCall(overrideEnrolment);
  return (
    <TextDialog
      title="End the enrolment?"
      label="Reason"
      hint={toldToFamily}
      maxLength={500}
      submit="End the enrolment"
      danger
      sent="Enrolment ended"
      send={(reason) =>
        override.mutateAsync({ id: line.enrolmentId, cents: 0, end: true, reason, leftCents: 0 })
      }
      onClose={onClose}
    >
      <p className="wrap-anywhere">
        The enrolment in <strong>{nameFor(line.name, line.participant)}</strong> ends and the seat
        is free again. Nothing goes back to the card. This cannot be undone.
      </p>
    </TextDialog>
  );
}
