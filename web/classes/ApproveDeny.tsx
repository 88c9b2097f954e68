// Approve and Deny. Deny touches seats that are being paid for: nothing is shown before it is done.
import { useQueryClient } from '@tanstack/react-query';
import {
  type MouseEvent,
  useLayoutEffect,
  type FormEvent,
  useEffect,
  useRef,
  useState,
} from 'react';
import { approveClass, type ManagedClass, denyClass } from '../../contract/classes/classes.ts';
import { classImpact } from '../../contract/checkout/cancel.ts';
import { messages } from '../../contract/platform/messages.ts';
import { readAgain, useCall } from '../platform/api/query.ts';
import { ApiError, send, readable } from '../platform/api/send.ts';
import { paths } from '../platform/paths.ts';
import { Button, LinkButton } from '../platform/ui/Button.tsx';
import { Icon } from '../platform/ui/Icon.tsx';
import { ask, failure, toast } from '../platform/ui/alert.ts';
import { keepFocus } from '../platform/ui/focus.ts';
import { limits } from '../../contract/platform/limits.ts';
import { TextArea } from '../platform/ui/Field.tsx';

const outdated = new Set(['CLASS_CHANGED', 'DATES_CHANGED', 'PLACE_TAKEN', 'INSTRUCTOR_BUSY']);

/** The last decision by a pointer: on which class, where, and when it was made or left the list. */
let last = { id: '', x: 0, y: 0, at: 0 };

// A decided class may leave its list, and another one moves under the pointer: the second click of
// a double click, at the same place, is not for that one.
const isSecondClick = (id: string, { detail, clientX: x, clientY: y }: MouseEvent) =>
  detail > 0 &&
  id !== last.id &&
  performance.now() - last.at < 500 &&
  Math.hypot(x - last.x, y - last.y) < 5;

/** What is decided on. An approval is for the version, the dates and the change that are shown. */
export type Decided = Pick<ManagedClass, '_id' | 'name' | 'instructor' | 'status'> &
  Partial<Pick<ManagedClass, 'firstDay' | 'version' | 'dates' | 'proposedAt'>>;

interface ApproveDenyProps {
  item: Decided;
  /** On the review itself. Elsewhere Approve leads there when there are dates or a change to see. */
  review?: { isBlocked: boolean };
  onDenied: (item: Decided) => void;
}

export function ApproveDeny({ item, review, onDenied }: ApproveDenyProps) {
  const { _id, name, status, version, dates, proposedAt } = item;
  const isDone = status === 'approved' && !proposedAt;
  const client = useQueryClient();
  const approve = useCall(approveClass);
  const deny = useCall(denyClass);
  const busy = approve.isPending || deny.isPending;
  const leadsToReview = !review && Boolean(item.firstDay ?? proposedAt);
  // The list may take long to be read again: the time counts from when the class left it.
  useLayoutEffect(
    () => () => {
      if (last.id === _id) last = { ...last, at: performance.now() };
    },
    [_id],
  );
  // Not by the callbacks of mutate(): a decided class may leave the list, and then they would not
  // be called.
  const decide = async (click: MouseEvent, decision: () => Promise<unknown>, said: string) => {
    if (isSecondClick(_id, click)) return false;
    const place = { id: _id, x: click.clientX, y: click.clientY };
    last = { ...place, at: performance.now() };
    try {
      await keepFocus(click.currentTarget, async () => {
        await decision();
        last = { ...place, at: performance.now() };
        toast(said);
      });
      return true;
    } catch (error) {
      if (error instanceof ApiError && outdated.has(error.code)) await readAgain(client);
      void failure('Nothing was changed', error instanceof Error ? error.message : undefined);
      return false;
    }
  };
  const onDeny = async (click: MouseEvent) => {
    // React forgets the event's element once the handler has returned.
    const at = { ...click, currentTarget: click.currentTarget };
    if (!(await isMeant(item))) return;
    if (await decide(at, () => deny.mutateAsync({ id: _id }), messages.denied)) onDenied(item);
  };

  if (status === 'cancelled') return <Already word="Cancelled" />;
  return (
    <>
      {isDone && <Already word="Approved" />}
      {!isDone && leadsToReview && (
        <LinkButton
          size="small"
          look="outline"
          to={paths.dashboard.review(_id)}
          aria-label={`Approve: ${name}`}
          title={proposedAt ? 'Look at the change first' : 'Look at its dates first'}
        >
          Approve…
        </LinkButton>
      )}
      {!isDone && !leadsToReview && (
        <Button
          size="small"
          look={review ? 'primary' : 'outline'}
          disabled={busy || review?.isBlocked}
          busy={approve.isPending}
          data-focus-last
          of={name}
          onClick={(click) =>
            void decide(
              click,
              () => approve.mutateAsync({ id: _id, version, dates, proposedAt }),
              messages.approved,
            )
          }
        >
          Approve
        </Button>
      )}
      {status === 'denied' ? (
        <Already word="Denied" />
      ) : (
        <Button
          size="small"
          look={review ? 'outline' : 'plain'}
          disabled={busy}
          busy={deny.isPending}
          data-focus-last
          of={name}
          onClick={(click) => void onDeny(click)}
        >
          Deny
        </Button>
      )}
    </>
  );
}

/** In place of a button that has nothing to do. */
const Already = ({ word }: { word: string }) => (
  <span className="muted inline-flex min-h-9 items-center gap-1 px-2 text-sm font-medium">
    {word} <Icon name="check" className="size-4" stroke={2} />
  </span>
);

/** Asked only where somebody would notice; without an answer from the server, not at all. */
async function isMeant({ _id: id, name, proposedAt }: Decided): Promise<boolean> {
  const impact = await send(classImpact, { id, status: 'denied' }).catch(() => null);
  const lines = impact?.lines ?? [];
  if (lines.length === 0 && !proposedAt) return true;
  const whole = proposedAt ? ['The class itself, and not only its change.'] : [];
  return ask({
    title: `Deny ${name}?`,
    text: [...whole, ...lines, 'No further seat is sold.'].join(' '),
    yes: 'Deny',
    danger: true,
  });
}

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
      className="arrives bg-base-100 border-base-300 rounded-box above-tabs sticky z-40 mt-4 flex flex-col gap-3 border px-4 py-3 shadow-2xl sm:ml-auto sm:w-96"
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
