// The dialog in which an admin blocks an account, with a reason for the audit log. Of a coach it asks
// what becomes of the classes.
import { useState } from 'react';
import { blockUser } from '../../../contract/people/staff.ts';
import { type UserPage } from '../../../contract/academy/userpage.ts';
import { useSendForm } from '../../platform/api/form.ts';
import { useCall } from '../../platform/api/query.ts';
import { Select, TextArea } from '../../platform/ui/Field.tsx';
import { FormDialog } from '../../platform/ui/FormDialog.tsx';
import { inWords, useHandOver } from './HandOverAll.tsx';

export function BlockDialog({ user, onClose }: { user: UserPage; onClose: () => void }) {
  const block = useCall(blockUser);
  const [hands, setHands] = useState(false);
  const { chosen, problem: notFound, fields, left: classes, handOverAll } = useHandOver(user);
  const { props, field, problem, busy } = useSendForm({
    defaultValues: { reason: '' },
    inWords,
    send: async ({ reason }) => {
      if (hands) await handOverAll();
      await block.mutateAsync({ id: user._id, ...(reason.trim() && { reason }) });
    },
    onClose,
    sent: 'Blocked',
  });
  return (
    <FormDialog
      title={`Block ${user.name}?`}
      form={{ props, problem: problem || notFound, busy }}
      disabled={hands && chosen === ''}
      submit="Block"
      danger
      onClose={onClose}
    >
      <p>
        They are signed out everywhere at once, and no way of logging in works. Their enrolments and
        payments stay as they are.
      </p>
      {classes.length > 0 && (
        <Select
          label={classes.length === 1 ? 'Their class' : `Their ${classes.length} classes`}
          value={hands ? 'hand' : 'stop'}
          onChange={({ target }) => setHands(target.value === 'hand')}
        >
          <option value="stop">Stop the sale: families keep their seats</option>
          <option value="hand">Hand over to another instructor</option>
        </Select>
      )}
      {hands && fields}
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
