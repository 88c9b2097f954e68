// /dashboard/manageusers: every user, and the buttons that give a role. A role is never shown
// before the server has given it. The name leads to the page of the user.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { messages } from '../../contract/platform/messages.ts';
import {
  exportUsers,
  type ListedUser,
  listUsers,
  makeAdmin,
  makeInstructor,
  userSorts,
} from '../../contract/people/users.ts';
import { roles } from '../../contract/platform/call.ts';
import { CallButton } from '../platform/api/CallButton.tsx';
import { query } from '../platform/api/query.ts';
import { send } from '../platform/api/send.ts';
import { ExportButton } from '../platform/lists/ExportButton.tsx';
import { useListing } from '../platform/lists/listing.ts';
import { paths } from '../platform/paths.ts';
import { Button } from '../platform/ui/Button.tsx';
import { Email } from '../platform/ui/Email.tsx';
import { Icon } from '../platform/ui/Icon.tsx';
import { Avatar } from '../platform/ui/Picture.tsx';
import type { Column } from '../platform/ui/Table.tsx';
import { ListPage } from '../platform/lists/ListPage.tsx';
import { onDemand, partOnDemand } from '../platform/ui/onDemand.tsx';

/** It reads its list itself: most academies have none open. */
const Invitations = partOnDemand(
  () => import('./users/Invitations.tsx').then((m) => m.Invitations),
  null,
);
const InviteDialog = onDemand(() => import('./users/InviteDialog.tsx').then((m) => m.InviteDialog));

export function ManageUsers() {
  const listing = useListing(userSorts);
  const role = roles.find((known) => known === listing.filter('role'));
  const users = useQuery({
    ...query(listUsers, { ...listing.input, ...(role && { role }) }),
    placeholderData: keepPreviousData,
  });
  const total = useQuery(query(listUsers, { limit: 1 })).data?.total;

  return (
    <ListPage
      title="Manage Users"
      total={{ label: 'Total Users', count: total }}
      lead="Admins approve classes and manage payments; instructors add classes of their own."
      actions={
        <>
          <Button look="outline" onClick={() => listing.onFilter('invite', 'yes')}>
            Invite staff
          </Button>
          <ExportButton
            file="users.csv"
            fetch={() => send(exportUsers, { ...listing.searched, ...(role && { role }) })}
          />
        </>
      }
      above={<Invitations />}
      filter={{
        name: 'role',
        value: role,
        options: [
          ['student', 'Students'],
          ['instructor', 'Instructors'],
          ['admin', 'Admins'],
        ],
      }}
      caption="Users"
      columns={columns}
      rows={users.data?.items}
      listing={listing}
      query={users}
    >
      {listing.filter('invite') && <InviteDialog onClose={() => listing.onFilter('invite', '')} />}
    </ListPage>
  );
}

const columns: readonly Column<ListedUser>[] = [
  { title: '#', part: 'serial', cell: (_, serial) => serial },
  {
    title: 'Name',
    part: 'lead',
    sort: ['name', '-name'],
    cell: (user) => (
      <span className="flex items-center gap-3">
        <Avatar
          person={{ id: user._id, name: user.name, image: user.image }}
          size={32}
          named={false}
        />
        <Link
          to={paths.dashboard.user(user._id)}
          data-focus-last
          className="link-hover link min-w-0"
        >
          {user.name}
        </Link>
      </span>
    ),
  },
  {
    title: 'Email',
    part: 'under',
    long: true,
    sort: ['email', '-email'],
    cell: (user) => <Address user={user} />,
  },
  { title: 'Make Admin', bare: true, cell: (user) => <RoleCell user={user} to="admin" /> },
  {
    title: 'Make Instructor',
    bare: true,
    cell: (user) => <RoleCell user={user} to="instructor" />,
  },
];

function Address({ user }: { user: ListedUser }) {
  if (!user.unconfirmed && !user.blocked) return <Email address={user.email} />;
  return (
    <>
      <Email address={user.email} />{' '}
      {user.unconfirmed && <span className="badge badge-warning">Address not confirmed</span>}
      {user.blocked && <span className="badge badge-error">Blocked</span>}
    </>
  );
}

const promotions = {
  admin: { call: makeAdmin, word: 'Admin', done: messages.isAdminNow },
  instructor: { call: makeInstructor, word: 'Instructor', done: messages.isInstructorNow },
};

function RoleCell({ user, to }: { user: ListedUser; to: 'admin' | 'instructor' }) {
  const { call, word, done } = promotions[to];
  if (user.role === to)
    return (
      <span className="inline-flex min-h-9 items-center gap-1.5 font-medium">
        <Icon name="check" className="size-4" stroke={2} />
        {word}
      </span>
    );
  return (
    <CallButton
      size="small"
      look="plain"
      className="-ml-3"
      of={user.name}
      call={call}
      input={{ id: user._id }}
      sure={user.unconfirmed ? meant(user, word) : undefined}
      said={done(user.name)}
      refused="The role was not changed"
    >
      {`Make ${word}`}
    </CallButton>
  );
}

const meant = ({ email }: ListedUser, word: string) => ({
  title: 'This address is not confirmed',
  text: `A stranger may have signed up with ${email}. They would get the rights of this role. Ask the owner of the address to open the link in the welcome mail first.`,
  yes: `Make ${word} all the same`,
});
