// Shown above the cart right after a payment: who is booked, the first time of each class, and what is
// left to do. The payment page hands over which payment it was; a reload shows the cart alone.
import { useQueries, useQuery } from '@tanstack/react-query';
import { getClass } from '../../contract/classes/classes.ts';
import { classCalendar } from '../../contract/classes/feeds.ts';
import { getReceipt, type Receipt, type ReceiptLine } from '../../contract/checkout/payments.ts';
import { address } from '../../contract/platform/call.ts';
import { messages } from '../../contract/platform/messages.ts';
import { participants } from '../classes/participants.ts';
import { query, useSettings } from '../platform/api/query.ts';
import { paths } from '../platform/paths.ts';
import { LinkButton } from '../platform/ui/Button.tsx';
import { Card } from '../platform/ui/Card.tsx';
import { todayIn } from '../platform/ui/dates.ts';
import { nameFor, whomOf } from '../platform/ui/ForWhom.tsx';
import { Icon } from '../platform/ui/Icon.tsx';
import { nearName, Slot } from '../platform/ui/Line.tsx';
import { placed, useNow } from '../platform/ui/slots.ts';
import { Skeleton } from '../platform/ui/States.tsx';
import { noDates } from '../platform/ui/WhenWhere.tsx';
import { Preparing } from './Preparing.tsx';
import { ReceiptLink } from './ReceiptLink.tsx';

/** What the payment page puts into the history. `on`: of which load of the site. */
export interface BookedState {
  booked: { paymentId: string; on: number };
}

/** The history keeps anything, also of an older version of the site: look before using it. */
export function bookedOf(state: unknown): string | null {
  const { booked } = (state ?? {}) as Partial<BookedState>;
  return booked?.on === performance.timeOrigin ? booked.paymentId : null;
}

export function Booked({ paymentId }: { paymentId: string }) {
  const receipt = useQuery(query(getReceipt, { id: paymentId }));
  return (
    <Card title={<Title />} className="border-success mb-8">
      <p className="-mt-3">{messages.transactionComplete}</p>
      {receipt.data ? (
        <Seats receipt={receipt.data} />
      ) : (
        receipt.isPending && <Skeleton className="h-40" />
      )}
    </Card>
  );
}

/** Announced: it has the focus. */
const Title = () => (
  <span ref={focus} tabIndex={-1} data-focus-first className="flex items-center gap-2 outline-none">
    <Icon name="check" className="text-success size-6" stroke={2.5} />
    {messages.paid}
  </span>
);
const focus = (title: HTMLElement | null) => title?.focus();

function Seats({ receipt }: { receipt: Receipt }) {
  const lines = receipt.lines.filter(({ state }) => state !== 'refused');
  const comes = new Set(lines.map(({ participant }) => participant ?? 'You'));
  const family = useQuery(participants).data ?? [];
  const uncared = family.filter(
    ({ self, care, name }) => !self && care === 'none' && comes.has(name),
  );
  return (
    <>
      <h3 className="text-2xl">
        {new Intl.ListFormat('en').format(comes)}{' '}
        {comes.size > 1 || comes.has('You') ? 'are' : 'is'} booked
      </h3>
      <FirstTimes lines={lines} />
      <p className="meta">The receipt is on its way to {receipt.email}.</p>
      <div className="flex flex-wrap gap-2">
        {uncared.map(({ _id, name }) => (
          <LinkButton key={_id} look="outline" to={paths.dashboard.familyMember(_id)}>
            Write down allergies{uncared.length > 1 && `: ${name}`}
          </LinkButton>
        ))}
        <ReceiptLink paymentId={receipt.paymentId} of={receipt.itemName} />
      </div>
    </>
  );
}

/** Of each class the first meeting to come; the ball is on the first of all. */
function FirstTimes({ lines }: { lines: readonly ReceiptLine[] }) {
  const today = todayIn(useSettings().timeZone);
  const now = useNow();
  const ids = [...new Set(lines.map(({ classId }) => classId))];
  const classes = useQueries({ queries: ids.map((id) => query(getClass, { id })) });
  if (classes.some(({ isPending }) => isPending)) return <Skeleton className="h-24" />;
  const firsts = lines.map((line) => {
    const { meetings = [] } = classes[ids.indexOf(line.classId)]?.data ?? {};
    const first = meetings.find(({ state, endsAt }) => state === 'on' && Date.parse(endsAt) > now);
    return first && { ...first, line };
  });
  const undated = lines.filter((_, nth) => !firsts[nth]);
  return (
    <>
      <ol>
        {placed(
          firsts.flatMap((first) => first ?? []),
          now,
        ).map(({ row, ...at }) => (
          <Slot
            key={row._id + row.line.participant}
            {...at}
            day={nearName(row.day, today)}
            starts={row.starts}
            ends={row.ends}
            title={nameFor(row.line.name, whomOf(row.line.participant, lines))}
            to={paths.class(row.line.classId)}
            meta={[row.instructor]}
            says={<Preparing classId={row.line.classId} place={row.place} />}
            action={<AddToCalendar seat={row.line} />}
          />
        ))}
      </ol>
      {undated.map(({ classId, name, schedule }) => (
        <p key={classId}>
          {name}: {noDates}. {schedule && `Planned: ${schedule}`}
        </p>
      ))}
    </>
  );
}

const AddToCalendar = ({ seat: { classId, name } }: { seat: ReceiptLine }) => (
  <a
    href={address(classCalendar, { id: classId }).path}
    className="btn btn-outline btn-sm border-edge font-medium"
    aria-label={`Add to calendar: ${name}`}
  >
    <Icon name="calendar" className="size-4" /> Add to calendar
  </a>
);
