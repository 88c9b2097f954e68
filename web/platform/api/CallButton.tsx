// A button that changes something without a form: asks first where it must, and says when it is done.
import type { ComponentProps } from 'react';
import type { AnyCall, Input } from '../../../contract/platform/call.ts';
import { ask } from '../ui/alert.ts';
import { Button } from '../ui/Button.tsx';
import { keepFocus } from '../ui/focus.ts';
import { attempt } from './attempt.ts';
import { useCall } from './query.ts';

interface CallButtonProps<C extends AnyCall> extends ComponentProps<typeof Button> {
  call: C;
  input: Input<C>;
  said: string;
  refused?: string;
  /** The question before. */
  sure?: Parameters<typeof ask>[0] | undefined;
  onDone?: (() => unknown) | undefined;
}

export function CallButton<C extends AnyCall>(props: CallButtonProps<C>) {
  const { call, input, said, refused, sure, onDone, ...button } = props;
  const send = useCall(call);
  const act = async (at: Element) => {
    if (sure && !(await ask(sure))) return;
    const work = () => keepFocus(at, () => send.mutateAsync(input));
    if (await attempt(work, said, refused)) await onDone?.();
  };
  return (
    <Button
      {...button}
      busy={send.isPending}
      onClick={({ currentTarget }) => void act(currentTarget)}
    />
  );
}
