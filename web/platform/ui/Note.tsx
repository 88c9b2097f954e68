// What somebody should know or do, in place: a text, one action, a tick where it must be accepted.
import type { ReactNode } from 'react';
import { Tick } from './Field.tsx';
import { Icon, type AnyIcon } from './Icon.tsx';

type Tone = 'info' | 'warn' | 'bad' | 'ok';

interface NoteProps {
  tone?: Tone;
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  /** What must be ticked before the page goes on. */
  tick?: { label: string; checked: boolean; onChange: (checked: boolean) => void };
  /** To a screen reader, when it appears: what went wrong at once. */
  announced?: 'at once' | 'politely';
  className?: string;
}

const icons: Record<Tone, AnyIcon> = { info: 'point', warn: 'alert', bad: 'alert', ok: 'check' };

export function Note(props: NoteProps) {
  const { tone = 'info', title, children, action, tick, announced, className = '' } = props;
  const Frame = announced === 'politely' ? 'output' : 'div';
  return (
    <Frame
      role={announced === 'at once' ? 'alert' : undefined}
      className={`note note-${tone} ${className}`}
    >
      <Icon name={icons[tone]} className="mt-0.5 size-5 shrink-0" stroke={2} />
      <div className="min-w-0 flex-1 basis-52">
        {title && <p className="font-semibold wrap-anywhere">{title}</p>}
        {children}
        {tick && (
          <Tick checked={tick.checked} onChange={({ target }) => tick.onChange(target.checked)}>
            <span className="font-medium">{tick.label}</span>
          </Tick>
        )}
      </div>
      {action && <div className="flex flex-wrap gap-2">{action}</div>}
    </Frame>
  );
}
