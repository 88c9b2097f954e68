// Blocks an account, or lets it in again.
import { useState } from 'react';
import { unblockUser } from '../../../contract/people/staff.ts';
import { type UserPage } from '../../../contract/academy/userpage.ts';
import { attempt } from '../../platform/api/attempt.ts';
import { useCall } from '../../platform/api/query.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { ask } from '../../platform/ui/alert.ts';
import { onDemand } from '../../platform/ui/onDemand.tsx';

const BlockDialog = onDemand(() => import('./BlockDialog.tsx').then((m) => m.BlockDialog));

export function BlockButton({ user }: { user: UserPage }) {
  const [open, setOpen] = useState(false);
  const unblock = useCall(unblockUser);
  const letIn = async () => {
    const sure = await ask({
      title: `Unblock ${user.name}?`,
      text: 'They can log in again, with what they had before.',
      yes: 'Unblock',
    });
    if (sure) await attempt(() => unblock.mutateAsync({ id: user._id }), 'Unblocked');
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
