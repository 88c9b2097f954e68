// /dashboard/userhome: a welcome and what a student looks for: the enrolled classes with when and
// where, the cart with its total, the latest receipts.
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import type { AnyCall, Answer } from '../../contract/platform/call.ts';
import { getAccount } from '../../contract/signin/account.ts';
import { type CartItem, getCart } from '../../contract/checkout/cart.ts';
import type { Participant } from '../../contract/people/family.ts';
import { studentFigures, type StudentFigures } from '../../contract/academy/figures.ts';
import { type Enrolment, listEnrolments, listPayments } from '../../contract/checkout/payments.ts';
import { query } from '../platform/api/query.ts';
import { ForWhom, nameFor } from '../platform/ui/ForWhom.tsx';
import { WhenWhere } from '../platform/ui/WhenWhere.tsx';
import { ConfirmInPlace } from '../people/confirm/ConfirmFirst.tsx';
import { participants } from '../classes/participants.ts';
import { CartItemState } from '../checkout/CartItemState.tsx';
import { RefundMark } from '../checkout/RefundMark.tsx';
import { carrying, totalOf } from '../checkout/Check.tsx';
import { PageHeading } from '../platform/ui/PageHeading.tsx';
import { paths } from '../platform/paths.ts';
import { invitation } from '../people/session/invitation.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { LinkButton } from '../platform/ui/Button.tsx';
import { dateOf, dayName } from '../platform/ui/dates.ts';
import { Picture } from '../platform/ui/Picture.tsx';
import { EmptyState, ErrorNote, Skeleton } from '../platform/ui/States.tsx';
import { money, price } from '../platform/ui/money.ts';

const shown = { enrolments: 6, cart: 4, receipts: 4 };

export function UserHome() {
  const { user } = useSession();
  const email = user?.email ?? '';
  const enrolments = useQuery(query(listEnrolments, { email, page: 1, limit: shown.enrolments }));
  const cart = useQuery(query(getCart, {}));
  const payments = useQuery(query(listPayments, { email, page: 1, limit: shown.receipts }));
  const figures = useQuery(query(studentFigures, {}));
  const account = useQuery(query(getAccount, {}));
  const family = useQuery(participants);
  // All at once: a part that grows would move those below it.
  const waiting = [enrolments, cart, payments, figures, account, family].some(
    ({ isPending }) => isPending,
  );
  return (
    <>
      <PageHeading title="User Home" shown={`Welcome, ${user?.name ?? ''}`}>
        Your classes at a glance.
      </PageHeading>
      {waiting ? (
        <div aria-busy="true" className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_24rem]">
          <Skeleton className="h-64" />
          <Skeleton className="h-64" />
        </div>
      ) : (
        <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_24rem]">
          {account.data?.adminWaits && <AdminWaits />}
          {account.data?.unconfirmed && (invitation.read() ? <Invited /> : <Unconfirmed />)}
          <CareMissing enrolled={enrolments.data?.items ?? []} family={family.data ?? []} />
          <Enrolled enrolments={enrolments} />
          <div className="grid gap-6 md:grid-cols-2 xl:grid-cols-1">
            <Cart cart={cart} />
            <Receipts payments={payments} figures={figures.data} />
          </div>
        </div>
      )}
    </>
  );
}

function Notice({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId();
  return (
    <section
      aria-labelledby={heading}
      className="card border-warning bg-base-100 border xl:col-span-full"
    >
      <div className="card-body gap-3 p-5">
        <h2 id={heading} className="text-lg">
          {title}
        </h2>
        {children}
      </div>
    </section>
  );
}

const Unconfirmed = () => (
  <Notice title="Please confirm your address">
    <p className="max-w-prose">Then receipts and changes of dates reach you.</p>
    <ConfirmInPlace look="outline" />
  </Notice>
);

/** On the way from the mail through the sign-up. Accepting confirms the address, too. */
const Invited = () => (
  <Notice title="You are invited to look after a child">
    <LinkButton className="self-start" to={paths.invitation}>
      Open the invitation
    </LinkButton>
  </Notice>
);

const AdminWaits = () => (
  <Notice title="You are an admin once two-step sign-in is on">
    <LinkButton className="self-start" to={paths.dashboard.account}>
      Turn it on
    </LinkButton>
  </Notice>
);

/** Of children who are enrolled: a coach finds nothing about them in an emergency. */
function CareMissing({ enrolled, family }: { enrolled: Enrolment[]; family: Participant[] }) {
  const isEnrolled = ({ _id }: Participant) =>
    enrolled.some(({ participantId }) => participantId === _id);
  return family
    .filter((person) => !person.self && person.care === 'none' && isEnrolled(person))
    .map(({ _id, name }) => (
      <Notice key={_id} title={`Care facts of ${name} are missing`}>
        <p className="max-w-prose">
          Write down whom to call and what the coach must know, such as an allergy. Instructors see
          it from a day before a class until it is over.
        </p>
        <LinkButton look="outline" className="self-start" to={paths.dashboard.familyMember(_id)}>
          Write them down
        </LinkButton>
      </Notice>
    ));
}

/** A query that has ended, with data or with an error. */
type Read<C extends AnyCall> = UseQueryResult<Answer<C>>;

const many = (count: number, one: string, more: string) => `${count} ${count === 1 ? one : more}`;

interface PanelProps {
  title: string;
  more?: ReactNode;
  query: UseQueryResult;
  children: ReactNode;
}

function Panel({ title, more, query: { error, data, refetch }, children }: PanelProps) {
  const heading = useId();
  return (
    <section aria-labelledby={heading} className="card border border-base-300 bg-base-100">
      <div className="card-body gap-4 p-5">
        <div className="flex items-baseline justify-between gap-4">
          <h2 id={heading} className="text-lg">
            {title}
          </h2>
          {more}
        </div>
        {data ? children : <ErrorNote message={error?.message} onRetry={() => void refetch()} />}
      </div>
    </section>
  );
}

const SeeAll = ({ to, children }: { to: string; children: string }) => (
  <Link
    to={to}
    className="text-primary shrink-0 text-sm font-medium underline-offset-4 hover:underline"
  >
    {children}
  </Link>
);

function Enrolled({ enrolments }: { enrolments: Read<typeof listEnrolments> }) {
  const { items = [], total = 0 } = enrolments.data ?? {};
  return (
    <Panel
      title={total > 0 ? `Enrolled: ${many(total, 'class', 'classes')}` : 'Enrolled'}
      more={<SeeAll to={paths.dashboard.myEnrolledClasses}>My enrolled classes</SeeAll>}
      query={enrolments}
    >
      {items.length > 0 ? (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))] gap-4">
          {items.map((item) => (
            <EnrolledClass key={item.enrolmentId} item={item} among={items} />
          ))}
        </ul>
      ) : (
        <EmptyState
          drawing="nothing-scheduled"
          title="No class yet"
          heading="h3"
          action={
            <LinkButton look="outline" to={paths.classes}>
              Find a class
            </LinkButton>
          }
        >
          Classes you have paid for appear here, with times and places.
        </EmptyState>
      )}
    </Panel>
  );
}

function EnrolledClass({ item, among }: { item: Enrolment; among: readonly Enrolment[] }) {
  return (
    <li className="rounded-box flex gap-4 border border-base-300 p-3">
      <Picture
        src={item.img}
        alt=""
        width={96}
        height={96}
        className="rounded-field size-20 shrink-0 object-cover sm:size-24"
      />
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <h3 className="text-base leading-snug">{item.name}</h3>
        <ForWhom name={item.participant} among={among} />
        {item.next && (
          <p className="figures text-sm font-medium wrap-anywhere">
            Next: {dayName(item.next.day)}, {item.next.starts}
            {item.next.place && `, ${item.next.place}`}
          </p>
        )}
        <WhenWhere schedule={item.schedule} place={item.place} />
        <p className="mt-auto flex gap-4 text-sm">
          <SeeAll to={paths.class(item.classId)}>Class</SeeAll>
          {item.paymentId && <SeeAll to={paths.dashboard.receipt(item.paymentId)}>Receipt</SeeAll>}
        </p>
      </div>
    </li>
  );
}

function Cart({ cart }: { cart: Read<typeof getCart> }) {
  const items = cart.data ?? [];
  const { cents, payable } = totalOf(items);
  return (
    <Panel title="In your cart" query={cart}>
      {items.length > 0 ? (
        <>
          <p className="-mt-3 flex items-baseline justify-between gap-4">
            <span className="muted">{many(items.length, 'class', 'classes')}</span>
            {payable.length > 0 ? (
              <span className="figures text-2xl font-bold">{price(cents)}</span>
            ) : (
              <span className="text-warning font-medium">Not available now</span>
            )}
          </p>
          <ul className="divide-y divide-base-300 border-y border-base-300">
            {items.slice(0, shown.cart).map((item) => (
              <InCart
                key={item.cartItemId}
                item={item}
                among={items}
                payable={payable.includes(item)}
              />
            ))}
          </ul>
          <LinkButton to={paths.dashboard.myCart}>Go to my cart</LinkButton>
        </>
      ) : (
        <>
          <p className="muted">Choose a class that you like; nothing is paid yet.</p>
          <LinkButton to={paths.classes}>See all classes</LinkButton>
        </>
      )}
    </Panel>
  );
}

interface InCartProps {
  item: CartItem;
  among: readonly CartItem[];
  payable: boolean;
}

function InCart({ item, among, payable }: InCartProps) {
  return (
    <li className="flex min-h-12 items-center gap-3 py-2">
      <div className="min-w-0 flex-1 wrap-anywhere">
        {item.name}
        <ForWhom name={item.participant} among={among} />
        <CartItemState item={item} />
      </div>
      <span className="figures">{price(item.cents)}</span>
      {payable && (
        <LinkButton
          size="small"
          look="outline"
          to={paths.dashboard.paymentOf(item.cartItemId)}
          state={carrying(item)}
          aria-label={`Pay: ${nameFor(item.name, item.participant)}`}
        >
          Pay
        </LinkButton>
      )}
    </li>
  );
}

/** "2 payments, 1 refunded" */
function inWords({ payments, refunded = 0 }: StudentFigures): string {
  const kept = payments - refunded;
  return [kept > 0 && many(kept, 'payment', 'payments'), refunded > 0 && `${refunded} refunded`]
    .filter(Boolean)
    .join(', ');
}

interface ReceiptsProps {
  payments: Read<typeof listPayments>;
  figures: StudentFigures | undefined;
}

function Receipts({ payments, figures }: ReceiptsProps) {
  const items = payments.data?.items ?? [];
  return (
    <Panel
      title="Receipts"
      more={<SeeAll to={paths.dashboard.paymentHistory}>Payment history</SeeAll>}
      query={payments}
    >
      {items.length > 0 ? (
        <>
          {figures && (
            <p className="-mt-3 flex items-baseline justify-between gap-4">
              <span className="muted">{inWords(figures)}</span>
              <span className="figures text-2xl font-bold">{money(figures.paid)}</span>
            </p>
          )}
          <ul className="divide-y divide-base-300 border-t border-base-300">
            {items.map((payment) => (
              <li key={payment._id}>
                <Link
                  to={paths.dashboard.receipt(payment._id)}
                  className="flex items-baseline gap-3 py-2.5 hover:underline"
                >
                  <span className="min-w-0 flex-1">
                    <span className="block wrap-anywhere">{payment.itemName}</span>
                    <span className="muted figures block text-xs">
                      {payment.receiptNumber} ·{' '}
                      <span className="whitespace-nowrap">{dateOf(payment.date)}</span>
                    </span>
                  </span>
                  <span className="figures text-right">
                    {money(payment.price)}
                    <RefundMark payment={payment} />
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p className="muted">No payment so far.</p>
      )}
    </Panel>
  );
}
