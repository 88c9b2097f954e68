// /dashboard/manageusers: every user, and the buttons that give a role. A role is never shown
// before the server has given it.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { adminFigures } from '../../../contract/figures.ts';
import { listInstructors } from '../../../contract/instructors.ts';
import { messages } from '../../../contract/messages.ts';
import {
  exportUsers,
  listAudit,
  listUsers,
  makeAdmin,
  makeInstructor,
  roles,
  userSorts,
} from '../../../contract/users.ts';
import type { ListedUser } from '../../../contract/users.ts';
import { query, useCall } from '../../api/query.ts';
import { send } from '../../api/send.ts';
import { ExportButton } from '../../features/lists/ExportButton.tsx';
import { useListing } from '../../features/lists/listing.ts';
import { Button } from '../../ui/Button.tsx';
import type { Column } from '../../ui/Table.tsx';
import { ask, failure, toast } from '../../ui/alert.ts';
import { ListPage } from '../../features/lists/ListPage.tsx';

const refreshes = [listUsers, listInstructors, listAudit, adminFigures];

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
        <ExportButton
          file="users.csv"
          fetch={() => send(exportUsers, { ...listing.searched, ...(role && { role }) })}
        />
      }
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
    />
  );
}

const columns: readonly Column<ListedUser>[] = [
  { title: '#', part: 'serial', cell: (_, serial) => serial },
  { title: 'Name', part: 'lead', sort: ['name', '-name'], cell: (user) => user.name },
  { title: 'Email', long: true, sort: ['email', '-email'], cell: (user) => <Email user={user} /> },
  { title: 'Make Admin', cell: (user) => <RoleCell user={user} to="admin" /> },
  { title: 'Make Instructor', cell: (user) => <RoleCell user={user} to="instructor" /> },
];

function Email({ user }: { user: ListedUser }) {
  if (!user.unconfirmed) return user.email;
  return (
    <>
      {user.email}{' '}
      <span className="badge badge-sm badge-soft badge-warning whitespace-nowrap">
        Address not confirmed
      </span>
    </>
  );
}

const promotions = {
  admin: { call: makeAdmin, word: 'Admin', label: 'Make Admin', done: messages.isAdminNow },
  instructor: {
    call: makeInstructor,
    word: 'Instructor',
    label: 'Make Instructor',
    done: messages.isInstructorNow,
  },
};

function RoleCell({ user, to }: { user: ListedUser; to: 'admin' | 'instructor' }) {
  const { call, word, label, done } = promotions[to];
  const promote = useCall(call, { refreshes });
  const give = async () => {
    if (user.unconfirmed && !(await meant(user, word))) return;
    promote.mutate(
      { id: user._id },
      {
        onSuccess: () => toast(done(user.name)),
        onError: (error) => void failure('The role was not changed', error.message),
      },
    );
  };
  if (user.role === to) return <span className="font-semibold text-primary">{word}</span>;
  return (
    <Button
      size="small"
      look="outline"
      busy={promote.isPending}
      aria-label={`${label}: ${user.name}`}
      onClick={() => void give()}
    >
      {label}
    </Button>
  );
}

const meant = ({ email }: ListedUser, word: string) =>
  ask({
    title: 'This address is not confirmed',
    text: `A stranger may have signed up with ${email}. They would get the rights of this role. Ask the owner of the address to open the link in the welcome mail first.`,
    yes: `Make ${word} all the same`,
  });
