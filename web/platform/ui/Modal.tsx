// A dialog over the page, on the browser's own <dialog>: it keeps the focus inside, closes on
// Escape and gives the focus back.
import { type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { BackCloses } from './BackCloses.ts';
import { Icon } from './Icon.tsx';
import { rememberPlace } from './focus.ts';

interface ModalProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** 'side': a drawer at the left; 'sheet': at the bottom of a phone; 'message': without the x. */
  shape?: 'box' | 'side' | 'sheet' | 'message';
  icon?: ReactNode;
  describedBy?: string | undefined;
}

const fields = 'input, select, textarea';

const box =
  'arrives m-auto w-[calc(100%-2rem)] rounded-box border border-base-300 bg-base-100 p-0 text-base-content shadow-2xl backdrop:bg-black/50';
const looks = {
  box: { dialog: `${box} max-w-lg`, inside: 'gap-4 p-6', head: 'items-start justify-between' },
  message: { dialog: `${box} max-w-md`, inside: 'gap-4 p-6', head: 'items-center' },
  sheet: {
    dialog:
      'arrives mx-auto mt-auto mb-0 max-h-[90dvh] w-full max-w-lg rounded-t-box border-base-300 bg-base-100 p-0 text-base-content shadow-2xl backdrop:bg-black/50 sm:mb-auto sm:max-h-none sm:rounded-box sm:border',
    inside: 'gap-4 p-5 pb-[calc(1.25rem+env(safe-area-inset-bottom))] sm:p-6',
    head: 'items-start justify-between',
  },
  side: {
    dialog:
      'slides-in m-0 h-dvh max-h-none w-72 max-w-[85vw] bg-base-100 p-0 text-base-content shadow-2xl backdrop:bg-black/50',
    inside: 'min-h-full',
    head: 'items-start justify-between px-5 pt-4',
  },
};

export function Modal({ title, onClose, children, shape = 'box', icon, describedBy }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const look = looks[shape];

  // Not a passive effect: it is closed before it leaves the document.
  useLayoutEffect(() => {
    const opened = dialog.current;
    const giveFocusBack = rememberPlace(document.activeElement);
    opened?.showModal();
    // What one came for, not Close: the choice that was made before, the first one, or the button.
    (
      opened?.querySelector<HTMLElement>('[data-focus-first], [autofocus]') ??
      opened?.querySelector<HTMLElement>(`:is(${fields}):checked`) ??
      opened?.querySelector<HTMLElement>(`:is(${fields}):enabled, .btn-primary:enabled`)
    )?.focus();
    return () => {
      opened?.close();
      giveFocusBack();
    };
  }, []);

  const closeOnBackdrop = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose();
  };

  return (
    // A click on the backdrop closes the dialog as Escape does, which the browser handles.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      aria-describedby={describedBy}
      onClick={closeOnBackdrop}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClose={() => {
        // The browser may close it without asking, for example on the second Escape in a row.
        if (!dialog.current?.open) onClose();
      }}
      className={look.dialog}
    >
      {shape !== 'message' && <BackCloses onBack={onClose} />}
      <div className={`flex flex-col ${look.inside}`}>
        <div className={`flex gap-4 ${look.head}`}>
          {icon}
          <h2 id={heading} className="text-lg">
            {title}
          </h2>
          {shape !== 'message' && (
            <button
              type="button"
              className="btn btn-ghost btn-sm btn-circle -mt-1 -mr-2"
              aria-label="Close"
              onClick={onClose}
            >
              <Icon name="x" className="size-4" />
            </button>
          )}
        </div>
        {children}
      </div>
    </dialog>
  );
}
