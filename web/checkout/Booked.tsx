// Shown above the cart after a payment: what is booked, when and where, and the receipt. The payment
// page hands over which payment it was.
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { getReceipt, type ReceiptLine } from '../../contract/checkout/payments.ts';
import { query } from '../platform/api/query.ts';
import { paths } from '../platform/paths.ts';
import { LinkButton } from '../platform/ui/Button.tsx';
import { ForWhom, nameFor, whomOf } from '../platform/ui/ForWhom.tsx';
import { Icon } from '../platform/ui/Icon.tsx';
import { WhenWhere } from '../platform/ui/WhenWhere.tsx';
import { ReceiptLink } from './ReceiptLink.tsx';
import * as icons from '../platform/ui/dashboardicons.ts';

/** What the payment page puts into the history. */
export interface BookedState {
  booked: { paymentId: string; name: string };
}

/** The history keeps anything, also of an older version of the site: look before using it. */
function bookedOf(state: unknown): BookedState['booked'] | null {
  const { booked } = (state ?? {}) as Partial<BookedState>;
  return typeof booked?.paymentId === 'string' && typeof booked.name === 'string' ? booked : null;
}

export function Booked() {
  const booked = bookedOf(useLocation().state);
  const receipt = useQuery({
    ...query(getReceipt, { id: booked?.paymentId ?? '' }),
    enabled: booked !== null,
  });
  if (!booked) return null;
  const lines = receipt.data?.lines ?? [];
  const [only] = lines;
  const sold = lines.filter(({ state }) => state !== 'refused');
  // The name of several says the classes too, which follow below.
  const what = lines.length > 1 && sold.length > 0 ? seatsInWords(sold.length) : booked.name;
  return (
    <section
      aria-label="Booked"
      className="rounded-box border-success/40 bg-success/10 mb-6 flex flex-wrap items-start gap-x-4 gap-y-3 border p-4 sm:px-5"
    >
      <Icon name={icons.circleCheck} className="text-success size-7 shrink-0" />
      <div className="min-w-0 flex-1 basis-52">
        <p className="font-semibold wrap-anywhere">You are booked: {what}</p>
        {lines.length > 1 ? (
          <Seats lines={lines} />
        ) : (
          only && (
            <>
              <ForWhom name={only.participant} />
              <WhenWhere schedule={only.schedule} place={only.place} />
            </>
          )
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <ReceiptLink paymentId={booked.paymentId} of={booked.name} />
        <LinkButton size="small" look="plain" to={paths.dashboard.myEnrolledClasses}>
          My enrolled classes
        </LinkButton>
      </div>
    </section>
  );
}

const seatsInWords = (count: number) => (count === 1 ? '1 class' : `${count} classes`);

/** Each with who comes, when and where; or that its money goes back. */
function Seats({ lines }: { lines: readonly ReceiptLine[] }) {
  return (
    <ul className="mt-1 flex flex-col gap-1 text-sm">
      {lines.map((line) => (
        <li key={line.lineId} className="wrap-anywhere">
          <span className="font-medium">{nameFor(line.name, whomOf(line.participant, lines))}</span>{' '}
          <span className="muted">
            {line.state === 'refused'
              ? 'Not booked: its money goes back to the card'
              : [line.schedule, line.place].filter(Boolean).join(' · ')}
          </span>
        </li>
      ))}
    </ul>
  );
}
