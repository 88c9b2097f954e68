// Blocks an account, or lets it in again.
import { useState } from 'react';
import { unblockUser, type UserPage } from '../../../../contract/staff.ts';
import { useCall } from '../../../api/query.ts';
import { Button } from '../../../ui/Button.tsx';
import { ask, failure, toast } from '../../../ui/alert.ts';
import { onDemand } from '../../../ui/onDemand.tsx';
import { refreshes } from './RoleButtons.tsx';

const BlockDialog = onDemand(() => import('./BlockDialog.tsx').then((m) => m.BlockDialog));

export function BlockButton({ user }: { user: UserPage }) {
  const [open, setOpen] = useState(false);
  const unblock = useCall(unblockUser, { refreshes });
  const letIn = async () => {
    const sure = await ask({
      title: `Unblock ${user.name}?`,
      text: 'They can log in again, with what they had before.',
      yes: 'Unblock',
    });
    if (!sure) return;
    try {
      await unblock.mutateAsync({ id: user._id });
      toast('Unblocked');
    } catch (error) {
      void failure('That did not work', error instanceof Error ? error.message : undefined);
    }
  };
  if (user.blocked)
    return (
      <Button look="outline" busy={unblock.isPending} onClick={() => void letIn()}>
        Unblock
      </Button>
    );
  return (
    <>
      <Button look="danger" onClick={() => setOpen(true)}>
        Block
      </Button>
      {open && <BlockDialog user={user} onClose={() => setOpen(false)} />}
    </>
  );
}
