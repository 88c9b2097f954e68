// What has not reached the server: the marks that wait, and those that it refused.
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { momentOf } from '../../platform/ui/dates.ts';
import { readName, type Refused } from '../store.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { type AnyIcon, Icon } from '../../platform/ui/Icon.tsx';
import { useCalling } from './Caller.tsx';
import { noNetwork } from './icons.ts';

const countOf = (count: number, one: string) => `${count} ${count === 1 ? one : `${one}s`}`;

/** `always`: the list of meetings says it with a network, too. */
export function Waiting({ always = false }: { always?: boolean }) {
  const { marks, queue, connected } = useCalling();
  const count = marks.marks.length;
  const wait = `${countOf(count, 'mark')} ${count === 1 ? 'waits' : 'wait'} on this phone`;
  const sendNow = (
    <Button
      look="plain"
      className="border-current text-inherit hover:bg-base-content/20"
      busy={marks.sending}
      onClick={() => void queue.flush()}
    >
      Send now
    </Button>
  );
  return (
    <div aria-live="polite" className="flex flex-col gap-3 print:hidden [&:not(:empty)]:mb-4">
      {!connected && (
        <Bar icon={noNetwork}>
          <p className="flex-1">No network{count > 0 && `: ${wait}`}</p>
          {count > 0 && sendNow}
        </Bar>
      )}
      {connected && marks.failed && count > 0 && (
        <Bar icon="alert">
          <p className="flex-1">The server does not answer: {wait}</p>
          {sendNow}
        </Bar>
      )}
      {connected && !marks.failed && count > 0 && always && (
        <Bar icon="clock">
          <p className="flex-1">Not sent: {count}</p>
          {sendNow}
        </Bar>
      )}
      {marks.refused.map((refused) => (
        <RefusedMark key={refused._id} refused={refused} />
      ))}
    </div>
  );
}

function Bar({ icon, children }: { icon: AnyIcon; children: ReactNode }) {
  return (
    <div className="alert alert-warning flex flex-wrap items-center gap-x-3 gap-y-2 font-medium">
      <Icon name={icon} className="size-5 shrink-0" />
      {children}
    </div>
  );
}

/** The server will never store it, so the user notes it elsewhere. */
function RefusedMark({ refused }: { refused: Refused }) {
  const { me, queue } = useCalling();
  const [copied, setCopied] = useState(false);
  const { mark, about, reason } = refused;
  const { participantId = '' } = mark;
  const { data: name } = useQuery({
    queryKey: ['kept name', me.id, participantId],
    queryFn: () => readName(me.id, participantId),
    networkMode: 'always',
    gcTime: 0,
  });
  const person = mark.guest ?? name ?? 'a person who is no longer on the list';
  const facts = [about, person, mark.status, mark.note, momentOf(mark.at)];
  const words = facts.filter(Boolean).join(', ');
  const copy = async () => {
    await navigator.clipboard.writeText(`${words}: ${reason}`).catch(() => null);
    setCopied(true);
  };
  return (
    <div className="rounded-box border-2 border-error bg-base-100 p-4">
      <p className="font-semibold text-error">A mark was not accepted</p>
      <p className="mt-1 text-sm wrap-anywhere">{words}</p>
      <p className="mt-1 text-sm font-medium">{reason}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button look="outline" onClick={() => void copy()}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
        <Button look="plain" onClick={() => void queue.dismiss(refused._id)}>
          Remove
        </Button>
      </div>
    </div>
  );
}
