// After Deny: asks why, and mails it to the instructor. It does not stand in the way of the page, so
// the next class can be decided on without an answer.
import { type FormEvent, useState } from 'react';
import { denyClass, getClass, listClasses } from '../../../contract/classes.ts';
import { limits } from '../../../contract/limits.ts';
import { useCall } from '../../api/query.ts';
import { readable } from '../../api/send.ts';
import { Button } from '../../ui/Button.tsx';
import { TextArea } from '../../ui/Field.tsx';
import { toast } from '../../ui/alert.ts';
import type { Decided } from './ApproveDeny.tsx';

interface DenyReasonProps {
  item: Decided;
  onClose: () => void;
}

export function DenyReason({ item, onClose }: DenyReasonProps) {
  const [reason, setReason] = useState('');
  const tell = useCall(denyClass, { refreshes: [listClasses, getClass] });
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const sent = await tell.mutateAsync({ id: item._id, reason }).catch(() => null);
    if (!sent) return;
    toast('Reason sent');
    onClose();
  };
  return (
    <section
      aria-labelledby="deny-reason"
      className="arrives bg-base-100 border-base-300 rounded-box fixed inset-x-3 bottom-3 z-30 border p-4 shadow-2xl sm:left-auto sm:w-96"
    >
      <form className="flex flex-col gap-3" onSubmit={(event) => void send(event)}>
        <div>
          <h2 id="deny-reason" className="text-lg">
            Tell the instructor why
          </h2>
          <p aria-live="polite" className="muted text-sm wrap-anywhere">
            {item.name} was denied. {item.instructor} gets this by mail.
          </p>
        </div>
        <TextArea
          label="Reason"
          rows={3}
          value={reason}
          maxLength={limits.text}
          error={tell.error ? readable(tell.error) : undefined}
          onChange={(event) => setReason(event.target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button look="plain" onClick={onClose}>
            Not now
          </Button>
          <Button type="submit" busy={tell.isPending} disabled={reason.trim() === ''}>
            Send
          </Button>
        </div>
      </form>
    </section>
  );
}
