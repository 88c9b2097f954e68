// The dialog in which an admin cancels a class for good: what it does, and the reason that families read.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ManagedClass } from '../../contract/classes/classes.ts';
import { cancelClass, classImpact } from '../../contract/checkout/cancel.ts';
import { limits } from '../../contract/platform/limits.ts';
import { usePlainForm } from '../platform/api/plainform.ts';
import { query, useCall } from '../platform/api/query.ts';
import { ApiError, readable } from '../platform/api/send.ts';
import { toast } from '../platform/ui/alert.ts';
import { TextArea } from '../platform/ui/Field.tsx';
import { FormDialog } from '../platform/ui/FormDialog.tsx';
import { price } from '../platform/ui/money.ts';

type Cancelled = Pick<ManagedClass, '_id' | 'name'>;

export function CancelClass({ item, onClose }: { item: Cancelled; onClose: () => void }) {
  const { _id: id, name } = item;
  const cancel = useCall(cancelClass);
  const asked = { id, cancel: true as const };
  const impact = useQuery({ ...query(classImpact, asked), staleTime: 0, gcTime: 0 });
  const [isChanged, setChanged] = useState(false);
  const { data } = impact;
  const { onSubmit, problem, busy } = usePlainForm<'reason'>(async ({ reason }) => {
    try {
      await cancel.mutateAsync({ id, reason, families: data?.families ?? 0 });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'QUOTE_CHANGED') throw error;
      await impact.refetch();
      setChanged(true);
      return;
    }
    toast('Cancelled');
    onClose();
  });
  const back = data ? data.card + data.credit : 0;
  return (
    <FormDialog
      title={`Cancel ${name}`}
      form={{
        props: { onSubmit },
        problem: impact.error ? readable(impact.error) : problem,
        busy,
      }}
      disabled={!data}
      submit={back > 0 ? `Cancel and give back ${price(back)}` : 'Cancel class'}
      cancel="Keep it"
      danger
      onClose={onClose}
    >
      <p className="figures font-medium" aria-live="polite">
        {data?.lines.join(' ') ?? 'Counting …'}
        {isChanged && <span className="text-warning"> Changed just now.</span>}
      </p>
      <p className="muted text-sm">
        All seats end, and its dates to come are cancelled. This cannot be undone.
      </p>
      <TextArea
        label="Reason"
        hint="Mailed to the families and the coach."
        name="reason"
        required
        data-focus-first
        maxLength={limits.cancelNote}
      />
    </FormDialog>
  );
}
