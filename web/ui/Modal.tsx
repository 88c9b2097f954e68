// A dialog over the page, on the browser's own <dialog>: it keeps the focus inside, closes on Escape and gives the focus back.
// Not for: questions and news of one sentence (alert.ts).
import { useEffect, useId, useRef } from 'react';
import type { MouseEvent, ReactNode } from 'react';

interface ModalProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** 'side' is a drawer that comes from the left edge. */
  shape?: 'box' | 'side';
}

/** Open for as long as it is rendered. */
export function Modal({ title, onClose, children, shape = 'box' }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();

  useEffect(() => {
    const opened = dialog.current;
    const before = document.activeElement;
    opened?.showModal();
    return () => {
      opened?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);

  const closeOnBackdrop = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose();
  };
  const box = shape === 'box';

  return (
    // The keyboard's way out is Escape, which the dialog has by itself; the click is only its equal for a pointer.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      onClick={closeOnBackdrop}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      className={
        box
          ? 'm-auto w-[calc(100%-2rem)] max-w-lg rounded-box border border-base-300 bg-base-100 p-0 text-base-content shadow-2xl backdrop:bg-black/50'
          : 'm-0 h-dvh max-h-none w-72 max-w-[85vw] bg-base-200 p-0 text-base-content shadow-2xl backdrop:bg-black/50'
      }
    >
      <div className={box ? 'flex flex-col gap-4 p-6' : 'flex min-h-full flex-col'}>
        <div className={`flex items-start justify-between gap-4 ${box ? '' : 'px-5 pt-4'}`}>
          <h2 id={heading} className="text-lg font-bold">
            {title}
          </h2>
          <button
            type="button"
            className="btn btn-ghost btn-sm btn-circle -mt-1 -mr-2"
            aria-label="Close"
            onClick={onClose}
          >
            <span aria-hidden="true">✕</span>
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
