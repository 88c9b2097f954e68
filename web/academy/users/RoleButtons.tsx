// The role of a user with the buttons that change it. Each asks first and says what changes. On the own
// page: whether one teaches, too.
import { makeStudent, setTeaches } from '../../../contract/people/staff.ts';
import { type UserPage } from '../../../contract/academy/userpage.ts';
import { messages } from '../../../contract/platform/messages.ts';
import { makeAdmin, makeInstructor } from '../../../contract/people/users.ts';
import { type Role } from '../../../contract/platform/call.ts';
import { CallButton } from '../../platform/api/CallButton.tsx';
import { useTeaches } from '../../people/session/teaches.ts';
import { Button } from '../../platform/ui/Button.tsx';

export const labels = { student: 'Student', instructor: 'Instructor', admin: 'Admin' } as const;

const gains: Record<Role, string> = {
  student: 'They can only book classes.',
  instructor: 'They add classes of their own and see who comes to these.',
  admin: 'They approve classes, manage people and payments, and read allergies and contacts.',
};

function losesOf({ role, teaches }: UserPage, to: Role): string {
  const open = teaches.filter(({ status }) => status === 'pending' || status === 'approved').length;
  if (to === 'student' && open > 0)
    return open === 1 ? ' Their class is closed.' : ` Their ${open} classes are closed.`;
  return role === 'admin' && to !== 'admin'
    ? ' They no longer see payments and people, and their open invitations end.'
    : '';
}

const stranger = (email: string) =>
  ` The address is not confirmed: a stranger may have signed up with ${email}.`;

const done: Record<Role, (name: string) => string> = {
  student: (name) => `${name} is a Student Now!`,
  instructor: messages.isInstructorNow,
  admin: messages.isAdminNow,
};

const roles = ['student', 'instructor', 'admin'] as const;
const calls = { student: makeStudent, instructor: makeInstructor, admin: makeAdmin };
const unchanged = 'The role was not changed';

/** The other way than a hand-over: nothing of theirs is sold, and the seats stay without a coach. */
export const StopSale = ({ user }: { user: UserPage }) => (
  <CallButton
    look="outline"
    call={makeStudent}
    input={{ id: user._id, stopSale: true }}
    said={done.student(user.name)}
    refused={unchanged}
  >
    Stop their sale, families keep their seats
  </CallButton>
);

interface RoleButtonsProps {
  user: UserPage;
  own: boolean;
  onNeeded: () => void;
}

export function RoleButtons({ user, own, onNeeded }: RoleButtonsProps) {
  if (own) return <Own />;
  return (
    <div className="flex flex-wrap gap-2">
      {roles
        .filter((role) => role !== user.role)
        .map((role) => {
          const words = `Make ${labels[role]}`;
          return role === 'student' && user.needed.classes + user.needed.substitute > 0 ? (
            <Button key={role} look="outline" onClick={onNeeded}>
              {words}
            </Button>
          ) : (
            <CallButton
              key={role}
              look="outline"
              call={calls[role]}
              input={{ id: user._id }}
              sure={{
                title: `Make ${user.name} ${role === 'student' ? 'a' : 'an'} ${labels[role]}?`,
                text: `${gains[role]}${losesOf(user, role)}${user.unconfirmed && role !== 'student' ? stranger(user.email) : ''}`,
                yes: words,
                danger: role === 'student',
              }}
              said={done[role](user.name)}
              refused={unchanged}
            >
              {words}
            </CallButton>
          );
        })}
    </div>
  );
}

function Own() {
  const teaches = useTeaches() === true;
  return (
    <>
      <p className="muted text-sm">You cannot change your own role. An admin may teach, too.</p>
      <CallButton
        look="outline"
        className="self-start"
        call={setTeaches}
        input={{ teaches: !teaches }}
        said={teaches ? 'You no longer teach' : 'You can be given classes now'}
      >
        {teaches ? 'I no longer teach' : 'I teach, too'}
      </CallButton>
    </>
  );
}
