// Approve and Deny, wherever a class waits for them. Deny touches seats that are being paid for, so nothing is shown before it is done.
import { listCart } from '../../contract/cart.ts';
import { approveClass, denyClass, getClass, listClasses } from '../../contract/classes.ts';
import type { ClassStatus } from '../../contract/classes.ts';
import { adminFigures } from '../../contract/figures.ts';
import { messages } from '../../contract/messages.ts';
import { listAudit } from '../../contract/users.ts';
import { useCall } from '../api/query.ts';
import { Button } from '../ui/Button.tsx';
import { failure, toast } from '../ui/alert.ts';

const refreshes = [listClasses, getClass, listCart, adminFigures, listAudit];

export function Decision({ _id, name, status }: { _id: string; name: string; status: ClassStatus }) {
  const approve = useCall(approveClass, { refreshes });
  const deny = useCall(denyClass, { refreshes });
  const busy = approve.isPending || deny.isPending;
  // Not by the callbacks of mutate(): a decided class may leave the list, and then they would not be called.
  const decide = async (call: typeof approve | typeof deny, said: string) => {
    try {
      await call.mutateAsync({ id: _id });
      toast(said);
    } catch (error) {
      void failure('Nothing was changed', error instanceof Error ? error.message : undefined);
    }
  };

  return (
    <>
      <Button
        size="small"
        disabled={busy || status === 'approved'}
        busy={approve.isPending}
        aria-label={`Approve: ${name}`}
        onClick={() => void decide(approve, messages.approved)}
      >
        Approve
      </Button>
      <Button
        size="small"
        look="outline"
        disabled={busy || status === 'denied'}
        busy={deny.isPending}
        aria-label={`Deny: ${name}`}
        onClick={() => void decide(deny, messages.denied)}
      >
        Deny
      </Button>
    </>
  );
}
