// The role of a user with the buttons that change it. Each asks first and says what changes. On the own
// page: whether one teaches, too.
import { makeStudent, setTeaches } from '../../../contract/people/staff.ts';
import { type UserPage } from '../../../contract/academy/userpage.ts';
import { messages } from '../../../contract/platform/messages.ts';
import { makeAdmin, makeInstructor } from '../../../contract/people/users.ts';
import { type Role } from '../../../contract/platform/call.ts';
import { attempt } from '../../platform/api/attempt.ts';
import { useCall } from '../../platform/api/query.ts';
import { useTeaches } from '../../people/session/teaches.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { ask } from '../../platform/ui/alert.ts';

export const labels = { student: 'Student', instructor: 'Instructor', admin: 'Admin' } as const;

const gains: Record<Role, string> = {
  student: 'They can only book classes.',
  instructor: 'They add classes of their own and see who comes to these.',
  admin: 'They approve classes, manage people and payments, and read care facts.',
};

function losesOf({ role, teaches }: UserPage, to: Role): string {
  const open = teaches.filter(({ status }) => status !== 'denied').length;
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

const unchanged = 'The role was not changed';

/** The other way than a hand-over: nothing of theirs is sold, and the seats stay without a coach. */
export function StopSale({ user }: { user: UserPage }) {
  const demote = useCall(makeStudent);
  const stop = () =>
    attempt(
      () => demote.mutateAsync({ id: user._id, stopSale: true }),
      done.student(user.name),
      unchanged,
    );
  return (
    <Button look="outline" busy={demote.isPending} onClick={() => void stop()}>
      Stop their sale, families keep their seats
    </Button>
  );
}

interface RoleButtonsProps {
  user: UserPage;
  own: boolean;
  onNeeded: () => void;
}

export function RoleButtons({ user, own, onNeeded }: RoleButtonsProps) {
  const calls = {
    student: useCall(makeStudent),
    instructor: useCall(makeInstructor),
    admin: useCall(makeAdmin),
  };
  const change = async (to: Role) => {
    if (to === 'student' && user.needed.classes + user.needed.substitute > 0) return onNeeded();
    const sure = await ask({
      title: `Make ${user.name} ${to === 'student' ? 'a' : 'an'} ${labels[to]}?`,
      text: `${gains[to]}${losesOf(user, to)}${user.unconfirmed && to !== 'student' ? stranger(user.email) : ''}`,
      yes: `Make ${labels[to]}`,
      danger: to === 'student',
    });
    if (sure)
      await attempt(() => calls[to].mutateAsync({ id: user._id }), done[to](user.name), unchanged);
  };
  if (own) return <Own />;
  return (
    <div className="flex flex-wrap gap-2">
      {(['student', 'instructor', 'admin'] as const)
        .filter((role) => role !== user.role)
        .map((role) => (
          <Button
            key={role}
            look="outline"
            busy={calls[role].isPending}
            onClick={() => void change(role)}
          >
            Make {labels[role]}
          </Button>
        ))}
    </div>
  );
}

function Own() {
  const teaches = useTeaches() === true;
  const teach = useCall(setTeaches);
  const said = teaches ? 'You no longer teach' : 'You can be given classes now';
  const change = () => attempt(() => teach.mutateAsync({ teaches: !teaches }), said);
  return (
    <>
      <p className="muted text-sm">You cannot change your own role. An admin may teach, too.</p>
      <Button
        look="outline"
        className="self-start"
        busy={teach.isPending}
        onClick={() => void change()}
      >
        {teaches ? 'I no longer teach' : 'I teach, too'}
      </Button>
    </>
  );
}
