// /dashboard/manageusers/:id: one user: profile, role, block, whom they look after, what they booked,
// paid and teach, and what the audit log has about them.
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useParams } from 'react-router';
import { getUser, type UserPage as User } from '../../../contract/academy/userpage.ts';
import { query } from '../../platform/api/query.ts';
import { AuditLines } from '../../people/AuditLines.tsx';
import { StatusBadge } from '../../classes/StatusBadge.tsx';
import { paths } from '../../platform/paths.ts';
import { useSession } from '../../people/session/SessionProvider.tsx';
import { Button } from '../../platform/ui/Button.tsx';
import { CardSection, Fact } from '../../platform/ui/CardSection.tsx';
import { OnePage } from '../../platform/ui/OnePage.tsx';
import { PageHeading } from '../../platform/ui/PageHeading.tsx';
import { Avatar } from '../../platform/ui/Picture.tsx';
import { dateOf, momentOf } from '../../platform/ui/dates.ts';
import { money } from '../../platform/ui/money.ts';
import { onDemand } from '../../platform/ui/onDemand.tsx';
import { BlockButton } from './BlockButton.tsx';
import { CorrectAddress } from './CorrectAddress.tsx';
import { Guardians } from './Guardians.tsx';
import { RoleButtons, StopSale } from './RoleButtons.tsx';

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
          <CardSection title="Role" actions={<RoleBadge role={user.role} />}>
            <RoleButtons user={user} own={own} onNeeded={() => setNeeded(true)} />
            {needed && isNeeded(user) && (
              <div
                role="alert"
                className="border-warning rounded-field flex flex-col items-start gap-3 border px-4 py-3"
              >
                <p>{neededInWords(user)}</p>
                {user.needed.classes > 0 && (
                  <Button onClick={() => setHandsOver(true)}>Hand over the classes</Button>
                )}
                {user.needed.substitute === 0 && <StopSale user={user} />}
              </div>
            )}
          </CardSection>
          <Profile user={user} />
          {user.teaches.length > 0 && <Teaches user={user} onHandOver={() => setHandsOver(true)} />}
          <Participants user={user} />
        </div>
        <div className="flex flex-col gap-4">
          <Enrolments user={user} />
          <Payments user={user} />
          <CardSection
            title="Audit log"
            actions={
              <Link to={`${paths.dashboard.audit}?actor=${user._id}`} className="link text-sm">
                All they did
              </Link>
            }
          >
            <AuditLines lines={user.audit} about={user._id} />
          </CardSection>
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
              <span className="badge badge-soft badge-warning">Address not confirmed</span>
              <CorrectAddress user={user} />
            </>
          )}
          {user.bouncedAt && (
            <span className="badge badge-soft badge-warning">
              Mail refused since {dateOf(user.bouncedAt)}
            </span>
          )}
          {user.blockedAt && (
            <span className="badge badge-soft badge-error">Blocked {dateOf(user.blockedAt)}</span>
          )}
        </p>
      </div>
    </div>
  );
}

const roleWords = { student: 'Student', instructor: 'Instructor', admin: 'Admin' };

const RoleBadge = ({ role }: Pick<User, 'role'>) => (
  <span className="badge badge-soft badge-primary font-medium">{roleWords[role]}</span>
);

function Profile({ user }: { user: User }) {
  const { password, google, twoFactor } = user.signIns;
  const ways = [password && 'Password', google && 'Google', twoFactor && 'second step'].filter(
    (way) => way !== false,
  );
  return (
    <CardSection title="Profile">
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
    </CardSection>
  );
}

const rowLook =
  'flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3 first:pt-0 last:pb-0';

function Teaches({ user, onHandOver }: { user: User; onHandOver: () => void }) {
  return (
    <CardSection
      title="Teaches"
      actions={
        <Button size="small" look="outline" onClick={onHandOver}>
          Hand over
        </Button>
      }
    >
      <ul className="divide-base-300 divide-y">
        {user.teaches.map((one) => (
          <li key={one._id} className={rowLook}>
            <Link
              to={paths.dashboard.review(one._id)}
              className="link-hover link min-w-0 font-medium wrap-anywhere"
            >
              {one.name}
            </Link>
            <span className="flex items-center gap-3">
              <span className="muted figures text-sm">
                {one.sold} of {one.capacity} sold
              </span>
              <StatusBadge status={one.status} />
            </span>
          </li>
        ))}
      </ul>
    </CardSection>
  );
}

function Participants({ user }: { user: User }) {
  return (
    <CardSection title="Looks after">
      <ul className="divide-base-300 divide-y">
        {user.participants.map((one) => (
          <li key={one._id} className={rowLook}>
            <span className="min-w-0 font-medium wrap-anywhere">{one.name}</span>
            <span className="muted text-sm">
              {[one.self && 'themselves', one.age !== null && `age ${one.age}`]
                .filter(Boolean)
                .join(', ')}
            </span>
            {!one.self && <Guardians child={one} user={user} />}
          </li>
        ))}
      </ul>
    </CardSection>
  );
}

function Rows({ children }: { children: readonly ReactNode[] }) {
  if (children.length === 0) return <p className="muted">Nothing yet.</p>;
  return <ul className="divide-base-300 divide-y">{children}</ul>;
}

function Enrolments({ user }: { user: User }) {
  return (
    <CardSection title="Enrolled in">
      <Rows>
        {user.enrolments.map((one) => (
          <li key={one._id} className={rowLook}>
            <Link
              to={paths.dashboard.review(one.classId)}
              className="link-hover link min-w-0 font-medium wrap-anywhere"
            >
              {one.name}
            </Link>
            <span className="muted text-sm">
              {one.participant} · {dateOf(one.date)}
            </span>
          </li>
        ))}
      </Rows>
    </CardSection>
  );
}

function Payments({ user }: { user: User }) {
  return (
    <CardSection title="Payments">
      <Rows>
        {user.payments.map((one) => (
          <li key={one._id} className={rowLook}>
            <span className="min-w-0">
              <Link
                to={paths.dashboard.paymentDetails(one._id)}
                className="link-hover link font-medium wrap-anywhere"
              >
                {one.itemName}
              </Link>
              <span className="muted figures block text-xs">
                {one.receiptNumber} · {dateOf(one.date)}
              </span>
            </span>
            <span className="flex items-center gap-3">
              <span className="figures text-right font-semibold">
                {money(one.price)}
                {one.refunded !== undefined && (
                  <span className="muted block text-xs">−{money(one.refunded)}</span>
                )}
              </span>
              <StatusBadge status={one.status} />
            </span>
          </li>
        ))}
      </Rows>
    </CardSection>
  );
}
