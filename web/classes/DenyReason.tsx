// After Deny: asks why, at the foot of the page, so the next class can be decided on meanwhile.
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { denyClass } from '../../contract/classes/classes.ts';
import { limits } from '../../contract/platform/limits.ts';
import { useCall } from '../platform/api/query.ts';
import { readable } from '../platform/api/send.ts';
import { Button } from '../platform/ui/Button.tsx';
import { TextArea } from '../platform/ui/Field.tsx';
import { toast } from '../platform/ui/alert.ts';
import type { Decided } from './ApproveDeny.tsx';

export function DenyReason({ item, onClose }: { item: Decided; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const tell = useCall(denyClass);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const sent = await tell.mutateAsync({ id: item._id, reason }).catch(() => null);
    if (!sent) return;
    toast('Reason sent');
    onClose();
  };
  return (
    <form
      aria-label={`Why ${item.name} was denied`}
      className="arrives bg-base-100 border-base-300 rounded-box fixed inset-x-3 bottom-3 z-30 flex flex-col gap-3 border px-4 py-3 shadow-2xl sm:left-auto sm:w-96"
      onSubmit={(event) => void send(event)}
    >
      <TextArea
        ref={field}
        label="Why? (mailed to the coach)"
        hint={`${item.name}, by ${item.instructor}. Without an answer the mail goes in ten minutes.`}
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
  );
}
