// The dialog that invites another guardian by email.
import { inviteGuardian, type Participant } from '../../../contract/people/family.ts';
import { limits } from '../../../contract/platform/limits.ts';
import { useSendForm } from '../../platform/api/form.ts';
import { useCall } from '../../platform/api/query.ts';
import { Field } from '../../platform/ui/Field.tsx';
import { FormDialog } from '../../platform/ui/FormDialog.tsx';
import { Choices } from './Choices.tsx';

interface ShareDialogProps {
  /** The children to choose from; all of them are ticked at first. */
  kids: readonly Participant[];
  onClose: () => void;
}

export function ShareDialog({ kids, onClose }: ShareDialogProps) {
  const invite = useCall(inviteGuardian);
  const form = useSendForm<{ email: string; participantIds: string[] }>({
    defaultValues: { email: '', participantIds: kids.map(({ _id }) => _id) },
    send: ({ email, participantIds }) =>
      invite.mutateAsync({ email: email.trim(), participantIds }),
    onClose,
    sent: 'The invitation is on its way',
  });
  const field = form.form.register('participantIds', {
    validate: (chosen) => chosen.length > 0 || 'Choose at least one child.',
  });
  return (
    <FormDialog
      title="Share with another guardian"
      form={form}
      submit="Send the invitation"
      onClose={onClose}
    >
      <p>
        They can book for the child, see its classes and change its allergies and contacts, as you
        can. They do not see what you paid.
      </p>
      <Field
        label="Their email"
        type="email"
        inputMode="email"
        required
        data-focus-first
        maxLength={limits.email}
        autoComplete="off"
        hint="We mail a link to this address. It works for 7 days."
        {...form.field('email')}
      />
      <Choices
        legend={kids.length === 1 ? 'Child' : 'Which children'}
        choices={kids.map(({ _id, name }) => ({ value: _id, label: name }))}
        error={form.form.formState.errors.participantIds?.message}
        field={field}
      />
    </FormDialog>
  );
}
