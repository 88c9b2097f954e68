// After Deny: asks why, and mails it to the instructor. It does not stand in the way of the page, so
// the next class can be decided on without an answer.
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { denyClass, getClass, listClasses } from '../../../contract/classes.ts';
import { limits } from '../../../contract/limits.ts';
import { useCall } from '../../api/query.ts';
import { readable } from '../../api/send.ts';
import { Button } from '../../ui/Button.tsx';
import { TextArea } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { toast } from '../../ui/alert.ts';
import type { Decided } from './ApproveDeny.tsx';

interface DenyReasonProps {
  item: Decided;
  onClose: () => void;
}

/** First a line at the foot of the screen, which covers no button; then the form. */
export function DenyReason({ item, onClose }: DenyReasonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section
      aria-label="Tell the instructor why"
      className="arrives bg-base-100 border-base-300 rounded-box fixed inset-x-3 bottom-3 z-30 border px-4 py-3 shadow-2xl sm:left-auto sm:w-96"
    >
      {isOpen ? (
        <ReasonForm item={item} onClose={onClose} />
      ) : (
        <div className="flex items-center gap-2">
          <Button look="outline" className="min-h-11 flex-1" onClick={() => setOpen(true)}>
            Tell the instructor why
          </Button>
          <Button
            look="plain"
            className="min-h-11 min-w-11 px-2"
            aria-label="Not now"
            onClick={onClose}
          >
            <Icon name="x" />
          </Button>
        </div>
      )}
    </section>
  );
}

function ReasonForm({ item, onClose }: DenyReasonProps) {
  const [reason, setReason] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const tell = useCall(denyClass, { refreshes: [listClasses, getClass] });
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const sent = await tell.mutateAsync({ id: item._id, reason }).catch(() => null);
    if (!sent) return;
    toast('Reason sent');
    onClose();
  };
  return (
    <form className="flex flex-col gap-3" onSubmit={(event) => void send(event)}>
      <TextArea
        ref={field}
        label={`Why ${item.name} was denied`}
        hint={`${item.instructor} gets this by mail.`}
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
