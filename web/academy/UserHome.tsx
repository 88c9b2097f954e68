// /dashboard/userhome: a welcome, what comes next, and the week of the family.
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { Link } from 'react-router';
import { type CartItem, getCart } from '../../contract/checkout/cart.ts';
import type { Enrolment } from '../../contract/checkout/payments.ts';
import type { Participant } from '../../contract/people/family.ts';
import { getAccount } from '../../contract/signin/account.ts';
import { totalOf } from '../checkout/Check.tsx';
import { useWeek } from '../checkout/week.ts';
import { NextUp, WeekLine } from '../checkout/WeekLine.tsx';
import { participants } from '../classes/participants.ts';
import { ConfirmInPlace } from '../people/confirm/ConfirmFirst.tsx';
import { invitation } from '../people/session/invitation.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { query } from '../platform/api/query.ts';
import { paths } from '../platform/paths.ts';
import { LinkButton } from '../platform/ui/Button.tsx';
import { nameFor } from '../platform/ui/ForWhom.tsx';
import { price } from '../platform/ui/money.ts';
import { Note } from '../platform/ui/Note.tsx';
import { PageHeading } from '../platform/ui/PageHeading.tsx';
import { EmptyState, NotYet, Skeleton } from '../platform/ui/States.tsx';
import { Tabs } from '../platform/ui/Tabs.tsx';

export function UserHome() {
  const { user } = useSession();
  const [person, setPerson] = useState('');
  const week = useWeek(person);
  const cart = useQuery(query(getCart, {}));
  const account = useQuery(query(getAccount, {}));
  const family = useQuery(participants);
  // All at once: a part that grows would move those below it.
  const waits = [cart, account, family].some(({ isPending }) => isPending);
  return (
    <>
      <PageHeading title="User Home" shown={`Welcome, ${user?.name ?? ''}`} />
      {waits || !week.data ? (
        <NotYet of={week}>
          <div aria-busy="true" className="flex flex-col gap-4">
            <Skeleton className="h-40" />
            <Skeleton className="h-64" />
          </div>
        </NotYet>
      ) : (
        <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
          <div className="flex min-w-0 flex-col gap-4">
            {week.data.people.length > 1 && (
              <div className="-mb-4">
                <Tabs
                  label="Whose week"
                  value={person}
                  options={[
                    ['', 'Everyone'],
                    ...week.data.people.map(
                      ({ id, name }) => [id, name.split(' ')[0] ?? ''] as const,
                    ),
                  ]}
                  onChange={setPerson}
                />
              </div>
            )}
            <NextUp week={week.data} />
            {account.data?.adminWaits && <AdminWaits />}
            {account.data?.unconfirmed && (invitation.read() ? <Invited /> : <Unconfirmed />)}
            <Held items={cart.data ?? []} />
            <CareMissing enrolled={week.enrolled} family={family.data ?? []} />
            {week.enrolled.length > 0 ? (
              <section aria-labelledby="week">
                <h2 id="week" className="heading mb-3">
                  My week
                </h2>
                <WeekLine week={week.data} ballAbove />
              </section>
            ) : (
              <NoClass />
            )}
          </div>
          <CartAndReceipts items={cart.data ?? []} />
        </div>
      )}
    </>
  );
}

type ToDoProps = ComponentProps<typeof Note> & { to: string; act: string };

const ToDo = ({ to, act, ...note }: ToDoProps) => (
  <Note
    tone="warn"
    action={
      <LinkButton look="outline" to={to}>
        {act}
      </LinkButton>
    }
    {...note}
  />
);

const Unconfirmed = () => (
  <Note tone="warn" title="Please confirm your address">
    <p className="mb-3 max-w-prose">Then receipts and changes of dates reach you.</p>
    <ConfirmInPlace look="outline" />
  </Note>
);

/** On the way from the mail through the sign-up. Accepting confirms the address, too. */
const Invited = () => (
  <ToDo
    title="You are invited to look after a child"
    to={paths.invitation}
    act="Open the invitation"
  />
);

const AdminWaits = () => (
  <ToDo
    title="You are an admin once two-step sign-in is on"
    to={paths.dashboard.account}
    act="Turn it on"
  />
);

/** Of children who are enrolled: a coach finds nothing about them in an emergency. */
function CareMissing({ enrolled, family }: { enrolled: Enrolment[]; family: Participant[] }) {
  const isEnrolled = ({ _id }: Participant) =>
    enrolled.some(({ participantId }) => participantId === _id);
  return family
    .filter((person) => !person.self && person.care === 'none' && isEnrolled(person))
    .map(({ _id, name }) => (
      <ToDo
        key={_id}
        title={`Allergies and contacts of ${name} are missing`}
        to={paths.dashboard.familyMember(_id)}
        act="Write them down"
      >
        <p>Whom to call, and what the coach must know.</p>
      </ToDo>
    ));
}

const NoClass = () => (
  <EmptyState
    drawing="nothing-scheduled"
    title="No class yet"
    action={<LinkButton to={paths.classes}>Find a class</LinkButton>}
  >
    Classes you have paid for appear here, with times and places.
  </EmptyState>
);

function Held({ items }: { items: readonly CartItem[] }) {
  const held = items.filter(({ paying }) => paying);
  if (held.length === 0) return null;
  const to = paths.dashboard.paymentOfAll(held.map(({ cartItemId }) => cartItemId));
  return (
    <ToDo
      tone="info"
      title={held.length > 1 ? `${held.length} seats are held for you` : 'A seat is held for you'}
      to={to}
      act="Go on paying"
    >
      <p>{held.map(({ name, participant }) => nameFor(name, participant)).join(', ')}</p>
    </ToDo>
  );
}

function CartAndReceipts({ items }: { items: readonly CartItem[] }) {
  const { payable, cents } = totalOf(items);
  const words = [items.length, payable.length > 0 && price(cents)].filter(Boolean).join(', ');
  return (
    <nav aria-label="Cart and receipts" className="small-links">
      <Link to={paths.dashboard.myCart} className={small}>
        Cart{words && ` (${words})`}
      </Link>
      <Link to={paths.dashboard.paymentHistory} className={small}>
        Receipts
      </Link>
    </nav>
  );
}

const small =
  'text-primary figures flex min-h-11 items-center font-medium underline-offset-4 hover:underline';
