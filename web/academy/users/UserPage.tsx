// /dashboard/manageusers/:id: one user: profile, role, block, whom they look after, what they booked,
// paid and teach, and what the audit log has about them.
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { Link, useParams } from 'react-router';
import { getUser, type UserPage as User } from '../../../contract/academy/userpage.ts';
import { unblockUser } from '../../../contract/people/staff.ts';
import { query } from '../../platform/api/query.ts';
import { AuditLines } from '../../people/AuditLines.tsx';
import { StatusBadge } from '../../classes/StatusBadge.tsx';
import { paths } from '../../platform/paths.ts';
import { useSession } from '../../people/session/SessionProvider.tsx';
import { Button } from '../../platform/ui/Button.tsx';
import { Card, Fact } from '../../platform/ui/Card.tsx';
import { Note } from '../../platform/ui/Note.tsx';
import { OnePage } from '../../platform/ui/OnePage.tsx';
import { PageHeading } from '../../platform/ui/PageHeading.tsx';
import { Avatar } from '../../platform/ui/Picture.tsx';
import { dateOf, momentOf } from '../../platform/ui/dates.ts';
import { money } from '../../platform/ui/money.ts';
import { onDemand } from '../../platform/ui/onDemand.tsx';
import { CreditCard } from './GiveCredit.tsx';
import { Guardians } from './Guardians.tsx';
import { labels, RoleButtons, StopSale } from './RoleButtons.tsx';
import { CallButton } from '../../platform/api/CallButton.tsx';

const AddressDialog = onDemand(() => import('./AddressDialog.tsx').then((m) => m.AddressDialog));
const HandOverAll = onDemand(() => import('./HandOverAll.tsx').then((m) => m.HandOverAll));

export function UserPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery(query(getUser, { id }));
  return (
    <OnePage
      list={{ title: 'Manage Users', to: paths.dashboard.manageUsers }}
      title="User"
      missing={{
        title: 'There is no such user',
        why: 'The account was deleted, or the link has a typo.',
      }}
      error={error}
      onRetry={() => void refetch()}
    >
      {data && <Details key={data._id} user={data} />}
    </OnePage>
  );
}

function Details({ user }: { user: User }) {
  const { user: me } = useSession();
  const own = me?.id === user._id;
  const [handsOver, setHandsOver] = useState(false);
  const [needed, setNeeded] = useState(false);
  return (
    <>
      <Head user={user} actions={own ? null : <BlockButton user={user} />} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="flex flex-col gap-4">
          <Card
            title="Role"
            actions={<span className="badge badge-primary">{labels[user.role]}</span>}
          >
            <RoleButtons user={user} own={own} onNeeded={() => setNeeded(true)} />
            {needed && isNeeded(user) && (
              <Note
                tone="warn"
                announced="at once"
                action={
                  <>
                    {user.needed.classes > 0 && (
                      <Button onClick={() => setHandsOver(true)}>Hand over the classes</Button>
                    )}
                    {user.needed.substitute === 0 && <StopSale user={user} />}
                  </>
                }
              >
                {neededInWords(user)}
              </Note>
            )}
          </Card>
          <Profile user={user} />
          {user.teaches.length > 0 && (
            <Lines
              title="Teaches"
              actions={
                <Button size="small" look="outline" onClick={() => setHandsOver(true)}>
                  Hand over
                </Button>
              }
              lines={teachesOf(user)}
            />
          )}
          <Lines title="Books for" lines={participantsOf(user)} />
        </div>
        <div className="flex flex-col gap-4">
          <Lines title="Enrolled in" lines={enrolmentsOf(user)} />
          <Lines title="Payments" lines={paymentsOf(user)} />
          <CreditCard user={user} />
          <Card
            title="Audit log"
            actions={
              <Link to={`${paths.dashboard.audit}?actor=${user._id}`} className="link text-sm">
                All they did
              </Link>
            }
          >
            <AuditLines lines={user.audit} about={user._id} />
          </Card>
        </div>
      </div>
      {handsOver && <HandOverAll user={user} onClose={() => setHandsOver(false)} />}
    </>
  );
}

const isNeeded = ({ needed }: User) => needed.classes + needed.substitute > 0;

function neededInWords({ name, needed: { classes, substitute } }: User): string {
  const parts = [
    classes > 0 && `teaches ${classes === 1 ? 'a class' : `${classes} classes`} with students`,
    substitute > 0 &&
      `is the substitute in ${substitute === 1 ? 'a class' : `${substitute} classes`}`,
  ].filter(Boolean);
  return `${name} ${parts.join(' and ')}. Another instructor must take over first.`;
}

function Head({ user, actions }: { user: User; actions: ReactNode }) {
  const [corrects, setCorrects] = useState(false);
  return (
    <div className="mb-6 flex flex-wrap items-center gap-4">
      <Avatar
        person={{ id: user._id, name: user.name, image: user.image }}
        size={64}
        named={false}
      />
      <div className="min-w-0 flex-1 [&>div]:mb-0">
        <PageHeading title="User" shown={user.name} actions={actions}>
          <span className="wrap-anywhere">{user.email}</span>
        </PageHeading>
        <p className="mt-1 flex flex-wrap items-center gap-2 empty:hidden">
          {user.unconfirmed && (
            <>
              <span className="badge badge-warning">Address not confirmed</span>
              <Button size="small" look="outline" onClick={() => setCorrects(true)}>
                Correct the address
              </Button>
            </>
          )}
          {user.bouncedAt && (
            <span className="badge badge-warning">Mail refused since {dateOf(user.bouncedAt)}</span>
          )}
          {user.blockedAt && (
            <span className="badge badge-error">Blocked {dateOf(user.blockedAt)}</span>
          )}
        </p>
      </div>
      {corrects && <AddressDialog user={user} onClose={() => setCorrects(false)} />}
    </div>
  );
}

function Profile({ user }: { user: User }) {
  const { password, google, twoFactor } = user.signIns;
  const ways = [password && 'Password', google && 'Google', twoFactor && 'second step'].filter(
    (way) => way !== false,
  );
  return (
    <Card title="Profile">
      <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        <Fact term="Phone">
          {user.phone ? (
            <a href={`tel:${user.phone}`} className="link">
              {user.phone}
            </a>
          ) : (
            '–'
          )}
        </Fact>
        <Fact term="Signs in with">{ways.join(', ') || '–'}</Fact>
        <Fact term="Here since">{dateOf(user.since)}</Fact>
        <Fact term="Last seen">{user.seen ? momentOf(user.seen) : 'Not signed in'}</Fact>
        {user.about && <Fact term="About">{user.about}</Fact>}
      </dl>
    </Card>
  );
}

interface Line {
  id: string;
  to?: string;
  name: string;
  under?: string;
  note: ReactNode;
  status?: ComponentProps<typeof StatusBadge>['status'];
  below?: ReactNode;
}

interface LinesProps {
  title: string;
  actions?: ReactNode;
  lines: readonly Line[];
}

function Lines({ title, actions, lines }: LinesProps) {
  return (
    <Card title={title} actions={actions}>
      {lines.length === 0 && <p className="muted">Nothing yet.</p>}
      <ul className="divide-base-300 divide-y empty:hidden">
        {lines.map(({ id, to, name, under, note, status, below }) => (
          <li key={id} className="apart py-3">
            <span className="min-w-0 font-medium wrap-anywhere">
              {to ? (
                <Link to={to} className="link-hover link">
                  {name}
                </Link>
              ) : (
                name
              )}
              {under && <span className="muted figures block text-xs">{under}</span>}
            </span>
            <span className="flex items-center gap-3 text-sm">
              {note}
              {status && <StatusBadge status={status} />}
            </span>
            {below}
          </li>
        ))}
      </ul>
    </Card>
  );
}

const muted = (words: string) => <span className="muted figures">{words}</span>;

const teachesOf = ({ teaches }: User): Line[] =>
  teaches.map(({ _id, name, sold, capacity, status }) => ({
    id: _id,
    to: paths.dashboard.review(_id),
    name,
    note: muted(`${sold} of ${capacity} sold`),
    status,
  }));

const participantsOf = (user: User): Line[] =>
  user.participants.map((one) => ({
    id: one._id,
    name: one.name,
    note: muted(
      [one.self && 'the account holder', one.age !== null && `age ${one.age}`]
        .filter(Boolean)
        .join(', '),
    ),
    below: !one.self && <Guardians child={one} user={user} />,
  }));

const enrolmentsOf = ({ enrolments }: User): Line[] =>
  enrolments.map(({ _id, classId, name, participant, date }) => ({
    id: _id,
    to: paths.dashboard.review(classId),
    name,
    note: muted(`${participant} · ${dateOf(date)}`),
  }));

const paymentsOf = ({ payments }: User): Line[] =>
  payments.map(({ _id, itemName, receiptNumber, date, price, refunded, status }) => ({
    id: _id,
    to: paths.dashboard.paymentDetails(_id),
    name: itemName,
    under: `${receiptNumber} · ${dateOf(date)}`,
    note: (
      <span className="figures text-right text-base font-semibold">
        {money(price)}
        {refunded !== undefined && <span className="muted block text-xs">−{money(refunded)}</span>}
      </span>
    ),
    status,
  }));

const BlockDialog = onDemand(() => import('./BlockDialog.tsx').then((m) => m.BlockDialog));

function BlockButton({ user }: { user: User }) {
  const [open, setOpen] = useState(false);
  if (user.blocked)
    return (
      <CallButton
        look="outline"
        call={unblockUser}
        input={{ id: user._id }}
        sure={{
          title: `Unblock ${user.name}?`,
          text: 'They can log in again, with what they had before.',
          yes: 'Unblock',
        }}
        said="Unblocked"
      >
        Unblock
      </CallButton>
    );
  return (
    <>
      <Button look="outline" onClick={() => setOpen(true)}>
        Block
      </Button>
      {open && <BlockDialog user={user} onClose={() => setOpen(false)} />}
    </>
  );
}
