// Approve and Deny, wherever a class waits for them. Deny touches seats that are being paid for, so
// nothing is shown before it is done.
import { listCart } from '../../../contract/cart.ts';
import { approveClass, denyClass, getClass, listClasses } from '../../../contract/classes.ts';
import type { ClassStatus } from '../../../contract/classes.ts';
import { adminFigures } from '../../../contract/figures.ts';
import { messages } from '../../../contract/messages.ts';
import { listAudit } from '../../../contract/users.ts';
import { useQueryClient } from '@tanstack/react-query';
import type { MouseEvent } from 'react';
import { readAgain, useCall } from '../../api/query.ts';
import { ApiError } from '../../api/send.ts';
import { Button } from '../../ui/Button.tsx';
import { failure, toast } from '../../ui/alert.ts';
import { keepFocus } from '../../ui/focus.ts';

const refreshes = [listClasses, getClass, listCart, adminFigures, listAudit];

/** The last decision by a pointer: on which class, where and when. */
let last = { id: '', x: 0, y: 0, at: 0 };

/**
 * A decided class may leave its list, and another one moves under the pointer: the second click of
 * a double click, at the same place, is not for that one.
 */
const isSecondClick = (id: string, { detail, clientX: x, clientY: y }: MouseEvent) =>
  detail > 0 &&
  id !== last.id &&
  performance.now() - last.at < 500 &&
  Math.hypot(x - last.x, y - last.y) < 5;

interface ApproveDenyProps {
  _id: string;
  name: string;
  status: ClassStatus;
  /** The version that is shown: an approval is for this one. */
  version?: number | undefined;
}

export function ApproveDeny({ _id, name, status, version }: ApproveDenyProps) {
  const client = useQueryClient();
  const approve = useCall(approveClass, { refreshes });
  const deny = useCall(denyClass, { refreshes });
  const busy = approve.isPending || deny.isPending;
  // Not by the callbacks of mutate(): a decided class may leave the list, and then they would not
  // be called.
  const decide = async (click: MouseEvent, decision: () => Promise<unknown>, said: string) => {
    if (isSecondClick(_id, click)) return;
    const place = { id: _id, x: click.clientX, y: click.clientY };
    last = { ...place, at: performance.now() };
    try {
      await keepFocus(click.currentTarget, async () => {
        await decision();
        last = { ...place, at: performance.now() };
        toast(said);
      });
    } catch (error) {
      if (error instanceof ApiError && error.code === 'CLASS_CHANGED')
        await readAgain(client, refreshes);
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
        onClick={(click) =>
          void decide(click, () => approve.mutateAsync({ id: _id, version }), messages.approved)
        }
      >
        Approve
      </Button>
      <Button
        size="small"
        look="outline"
        disabled={busy || status === 'denied'}
        busy={deny.isPending}
        aria-label={`Deny: ${name}`}
        onClick={(click) =>
          void decide(click, () => deny.mutateAsync({ id: _id }), messages.denied)
        }
      >
        Deny
      </Button>
    </>
  );
}
