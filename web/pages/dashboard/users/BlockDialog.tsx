// The dialog in which an admin blocks an account, with a reason for the audit log.
import { blockUser, type UserPage } from '../../../../contract/staff.ts';
import { useSendForm } from '../../../api/form.ts';
import { useCall } from '../../../api/query.ts';
import { TextArea } from '../../../ui/Field.tsx';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { toast } from '../../../ui/alert.ts';
import { refreshes } from './RoleButtons.tsx';

export function BlockDialog({ user, onClose }: { user: UserPage; onClose: () => void }) {
  const block = useCall(blockUser, { refreshes });
  const onSale = user.teaches.filter(({ status }) => status === 'approved').length;
  const { props, field, problem, busy } = useSendForm({
    defaultValues: { reason: '' },
    send: async ({ reason }) => {
      await block.mutateAsync({ id: user._id, ...(reason.trim() && { reason }) });
      onClose();
      toast('Blocked');
    },
  });
  return (
    <FormDialog
      title={`Block ${user.name}?`}
      form={{ props, problem, busy }}
      submit="Block"
      danger
      onClose={onClose}
    >
      <p>
        They are signed out everywhere at once, and no way of logging in works. Their enrolments and
        payments stay as they are.
      </p>
      {onSale > 0 && (
        <p>
          {onSale === 1 ? 'A class of theirs stays' : `${onSale} classes of theirs stay`} on sale:
          hand {onSale === 1 ? 'it' : 'these'} over, too.
        </p>
      )}
      <TextArea
        label="Reason"
        hint="Kept in the audit log. The person does not see it."
        maxLength={500}
        data-focus-first
        {...field('reason')}
      />
    </FormDialog>
  );
}
