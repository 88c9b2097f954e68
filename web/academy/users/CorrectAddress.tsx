// Corrects the address of an account that nobody has confirmed.
import { useState } from 'react';
import type { UserPage } from '../../../contract/academy/userpage.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { onDemand } from '../../platform/ui/onDemand.tsx';

const AddressDialog = onDemand(() => import('./AddressDialog.tsx').then((m) => m.AddressDialog));

export function CorrectAddress({ user }: { user: UserPage }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="small" look="outline" onClick={() => setOpen(true)}>
        Correct the address
      </Button>
      {open && <AddressDialog user={user} onClose={() => setOpen(false)} />}
    </>
  );
}
