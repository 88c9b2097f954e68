// The dialog in which an admin invites an address as instructor or admin.
import { inviteStaff, type StaffRole } from '../../../contract/people/staff.ts';
import { useSendForm } from '../../platform/api/form.ts';
import { useCall } from '../../platform/api/query.ts';
import { Field, Select } from '../../platform/ui/Field.tsx';
import { FormDialog } from '../../platform/ui/FormDialog.tsx';

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const invite = useCall(inviteStaff);
  const form = useSendForm<{ email: string; role: StaffRole }>({
    defaultValues: { email: '', role: 'instructor' },
    send: ({ email, role }) => invite.mutateAsync({ email: email.trim(), role }),
    onClose,
    sent: 'Invitation sent',
  });
  return (
    <FormDialog title="Invite staff" form={form} submit="Send invitation" onClose={onClose}>
      <p className="muted text-sm">
        A mail with a link goes to this address. It works once, for 7 days; there the person chooses
        a name and a password.
      </p>
      <Field
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="off"
        required
        data-focus-first
        {...form.field('email')}
      />
      <Select
        label="Role"
        hint="Instructors add classes and see who comes. Admins approve classes, manage people and payments."
        {...form.field('role')}
      >
        <option value="instructor">Instructor</option>
        <option value="admin">Admin</option>
      </Select>
    </FormDialog>
  );
}
