// What comes back when a class is left: one large number, why, and until when. Nothing ends before the
// button says what is booked.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Leaving, leaveSeat, quoteSeat } from '../../contract/checkout/leaving.ts';
import type { Enrolment } from '../../contract/checkout/payments.ts';
import { useCall } from '../platform/api/query.ts';
import { ApiError, readable, send } from '../platform/api/send.ts';
import { toast } from '../platform/ui/alert.ts';
import { Button } from '../platform/ui/Button.tsx';
import { momentOf } from '../platform/ui/dates.ts';
import { Tick } from '../platform/ui/Field.tsx';
import { nameFor } from '../platform/ui/ForWhom.tsx';
import { Modal } from '../platform/ui/Modal.tsx';
import { price } from '../platform/ui/money.ts';
import { Note } from '../platform/ui/Note.tsx';
import { ErrorNote, Skeleton } from '../platform/ui/States.tsx';

interface LeaveProps {
  row: Enrolment;
  onAsk: () => void;
  onClose: () => void;
}

export function LeaveSheet({ row, onAsk, onClose }: LeaveProps) {
  const { enrolmentId: id } = row;
  // Not asked again once the seat has ended, with what the page shows (readAgain).
  const quote = useQuery({
    queryKey: ['leaving', id],
    queryFn: ({ signal }) => send(quoteSeat, { id }, { signal }),
    staleTime: 0,
  });
  return (
    <Modal shape="sheet" title={`Leave ${nameFor(row.name, row.participant)}?`} onClose={onClose}>
      {quote.error && !quote.data && <ErrorNote message={quote.error.message} />}
      {!quote.error && !quote.data && <Skeleton className="h-56" />}
      {quote.data && <Quote {...{ row, onAsk, onClose }} quote={quote.data} read={quote.refetch} />}
    </Modal>
  );
}

const signed = (cents: number) => (cents < 0 ? `−${price(-cents)}` : price(cents));

function Quote({
  row,
  quote,
  read,
  onAsk,
  onClose,
}: LeaveProps & { quote: Leaving; read: () => Promise<unknown> }) {
  const leave = useCall(leaveSeat);
  // Null: what is more, or the card where both are the same.
  const [chosen, setChosen] = useState<boolean | null>(null);
  const [resold, setResold] = useState(true);
  const [withdraws, setWithdraws] = useState(false);
  const [isNew, setNew] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const toCard = withdraws || (chosen ?? quote.cardCents === quote.creditCents);
  const back = toCard ? quote.cardCents : quote.creditCents;
  const rest = toCard ? quote.resold.cardCents : quote.resold.creditCents;
  const isNothing = quote.cardCents + quote.creditCents === 0;

  const end = async () => {
    setProblem(null);
    try {
      await leave.mutateAsync({
        id: row.enrolmentId,
        backCents: back,
        to: toCard ? 'card' : 'credit',
        ...(rest > 0 && { resold }),
        ...(withdraws && { withdraw: true }),
      });
      onClose();
      toast(withdraws ? `Withdrawn from ${row.name}` : `You have left ${row.name}`);
    } catch (error) {
      const changed =
        error instanceof ApiError && ['QUOTE_CHANGED', 'NOTHING_BACK'].includes(error.code);
      setNew(changed);
      if (changed) await read();
      else setProblem(readable(error));
    }
  };

  return (
    <>
      <div aria-live="polite">
        {isNothing ? (
          <p className="text-lg font-semibold">
            Nothing comes back: the terms you bought under say so.
          </p>
        ) : (
          <p className="text-lg">
            You get <strong className="figures text-3xl">{price(back)}</strong>{' '}
            {toCard ? 'to your card' : 'as credit'}
          </p>
        )}
        {isNew && <Note tone="warn" title="Changed just now. Please look at it again." />}
      </div>
      {!isNothing && <Choice {...{ quote, toCard, setChosen }} />}
      <ul className="figures text-sm" aria-label="Why">
        <li className="muted">You paid {price(quote.paidCents)}</li>
        {quote.why.map(({ text, cents }) => (
          <li key={text} className="flex justify-between gap-4">
            <span className="min-w-0 wrap-anywhere">{text}</span>
            <span className="shrink-0">{signed(cents)}</span>
          </li>
        ))}
      </ul>
      {quote.next &&
        (quote.next.cardCents !== quote.cardCents ||
          quote.next.creditCents !== quote.creditCents) && (
          <p className="muted text-sm">
            Until {momentOf(quote.next.until)}. After that:{' '}
            <span className="figures">
              {price(toCard ? quote.next.cardCents : quote.next.creditCents)}
            </span>
          </p>
        )}
      {rest > 0 && !withdraws && (
        <Tick checked={resold} onChange={({ target }) => setResold(target.checked)}>
          Give me the rest as credit if my seat is sold again ({price(rest)})
        </Tick>
      )}
      <ErrorNote message={problem} />
      <div className="flex flex-col gap-2">
        {isNothing && (
          <Button onClick={onAsk} className="w-full">
            Ask the academy
          </Button>
        )}
        <Button
          look={isNothing ? 'outline' : 'primary'}
          className="w-full"
          busy={leave.isPending}
          onClick={() => void end()}
        >
          {withdraws
            ? `Confirm withdrawal and get ${price(back)}`
            : isNothing
              ? 'Leave anyway'
              : `Leave and get ${price(back)}${toCard ? '' : ' credit'}`}
        </Button>
        {quote.withdraw && !withdraws && (
          <Button look="outline" className="w-full" onClick={() => setWithdraws(true)}>
            Withdraw from contract here
          </Button>
        )}
        {!isNothing && (
          <Button look="plain" className="w-full" onClick={onAsk}>
            Ask the academy
          </Button>
        )}
      </div>
    </>
  );
}

interface ChoiceProps {
  quote: Leaving;
  toCard: boolean;
  setChosen: (toCard: boolean) => void;
}

function Choice({ quote: { cardCents, creditCents }, toCard, setChosen }: ChoiceProps) {
  const words =
    cardCents === creditCents
      ? 'To my card. Without the tick it is credit, for your next class.'
      : `${price(cardCents)} to my card instead`;
  return (
    <Tick checked={toCard} onChange={({ target }) => setChosen(target.checked)}>
      {words}
    </Tick>
  );
}
