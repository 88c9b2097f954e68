// The dialog in which an admin corrects an address that is not confirmed.
import { correctAddress } from '../../../contract/people/staff.ts';
import { type UserPage } from '../../../contract/academy/userpage.ts';
import { useSendForm } from '../../platform/api/form.ts';
import { useCall } from '../../platform/api/query.ts';
import { EmailField } from '../../platform/ui/EmailField.tsx';
import { FormDialog } from '../../platform/ui/FormDialog.tsx';

export function AddressDialog({ user, onClose }: { user: UserPage; onClose: () => void }) {
  const correct = useCall(correctAddress);
  const form = useSendForm({
    defaultValues: { email: user.email },
    send: ({ email }) => correct.mutateAsync({ id: user._id, email: email.trim() }),
    onClose,
    sent: 'Address corrected',
  });
  return (
    <FormDialog title="Correct the address" form={form} submit="Correct" onClose={onClose}>
      <p>
        We mail six digits to the new address. They stay signed in, and what the account has stays.
      </p>
      <EmailField
        label="Email"
        autoComplete="off"
        required
        data-focus-first
        {...form.field('email')}
        take={(email) => form.form.setValue('email', email)}
      />
    </FormDialog>
  );
}
