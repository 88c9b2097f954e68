// Shows what alert.ts was told: one dialog at a time, toasts in a live region.
import { useEffect, useId, useLayoutEffect, useRef } from 'react';
import { type Dialog, endToast, type Kind, type Toast, toastMs, useMessages } from './alert.ts';
import { Button } from './Button.tsx';
import { Modal } from './Modal.tsx';
import { Icon, type IconName } from './Icon.tsx';

export function Messages() {
  return (
    <>
      <OpenDialog />
      <Region />
    </>
  );
}

export function OpenDialog() {
  const [dialog] = useMessages().dialogs;
  return dialog && <MessageDialog key={dialog.id} dialog={dialog} />;
}

function MessageDialog({
  dialog: { kind, title, text, yes, no, danger, answer },
}: {
  dialog: Dialog;
}) {
  const description = useId();
  return (
    <Modal
      shape="message"
      title={title}
      icon={<KindIcon kind={kind} className="size-9 p-2" />}
      describedBy={text && description}
      onClose={() => answer(false)}
    >
      {text && (
        <p id={description} className="muted">
          {text}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        {no && (
          <Button look="plain" ref={focusFirst} onClick={() => answer(false)}>
            {no}
          </Button>
        )}
        <Button
          look={danger ? 'danger' : 'primary'}
          ref={no ? null : focusFirst}
          onClick={() => answer(true)}
        >
          {yes}
        </Button>
      </div>
    </Modal>
  );
}

/** showModal() focuses the element that has this attribute; React's autoFocus does not set it. */
const focusFirst = (button: HTMLButtonElement | null) => button?.setAttribute('autofocus', '');

/** A popover is seen above a dialog. Always open: a live region must be known before it speaks. */
function Region() {
  const region = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const shown = region.current;
    shown?.showPopover();
    return () => shown?.hidePopover();
  }, []);
  return (
    <div
      ref={region}
      id="toasts"
      popover="manual"
      aria-live="polite"
      className="pointer-events-none fixed inset-auto top-18 right-4 m-0 max-w-[calc(100%-2rem)] overflow-visible bg-transparent text-base-content print:hidden"
    >
      <Toasts />
    </div>
  );
}

export const Toasts = () => (
  <div className="flex flex-col items-end gap-2">
    {useMessages().toasts.map((toast) => (
      <OneToast key={toast.id} toast={toast} />
    ))}
  </div>
);

function OneToast({ toast }: { toast: Toast }) {
  const own = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // A dialog that was opened after the region lies above it: the region is opened anew.
    const region = document.querySelector('dialog:modal')
      ? own.current?.closest<HTMLElement>('[popover]')
      : null;
    region?.hidePopover();
    region?.showPopover();
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => endToast(toast), toastMs(toast));
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <div ref={own} className="arrives toast-card">
      <KindIcon kind={toast.kind} className="size-7 p-1.5" />
      <p className="font-medium">{toast.title}</p>
    </div>
  );
}

const icons: Record<Kind, { name: IconName; colours: string }> = {
  success: { name: 'check', colours: 'bg-success text-success-content' },
  error: { name: 'x', colours: 'bg-error text-error-content' },
  info: { name: 'point', colours: 'bg-info text-info-content' },
  question: { name: 'exclamation', colours: 'bg-warning text-warning-content' },
};

function KindIcon({ kind, className }: { kind: Kind; className: string }) {
  const { name, colours } = icons[kind];
  return (
    <Icon name={name} className={`shrink-0 rounded-full ${colours} ${className}`} stroke={3} />
  );
}
