// The toasts, news and questions of the specification (sections 8 and 9), callable from anywhere.
// Messages.tsx shows them.
import { watched } from './watched.ts';

export type Kind = 'success' | 'error' | 'info' | 'question';

export interface Toast {
  id: number;
  kind: Kind;
  title: string;
}

export interface Dialog {
  id: number;
  kind: Kind;
  title: string;
  text: string | undefined;
  yes: string;
  /** Only a question can be answered with no. */
  no: string | undefined;
  danger: boolean;
  answer: (yes: boolean) => void;
}

interface Messages {
  toasts: readonly Toast[];
  /** The first one is open, the others wait for it. */
  dialogs: readonly Dialog[];
}

const messages = watched<Messages>({ toasts: [], dialogs: [] });
export const useMessages = messages.useNow;

const become = (next: Partial<Messages>) => messages.write({ ...messages.read(), ...next });

let lastId = 0;

/** Shown at top-end without a button; a success for 1500 ms, anything else for 5 s. */
export function toast(title: string, kind: Exclude<Kind, 'question'> = 'success') {
  become({ toasts: [...messages.read().toasts, { id: (lastId += 1), kind, title }] });
}

export const toastMs = ({ kind }: Toast) => (kind === 'success' ? 1_500 : 5_000);

export function endToast({ id }: Toast) {
  become({ toasts: messages.read().toasts.filter((other) => other.id !== id) });
}

function open(dialog: Omit<Dialog, 'id' | 'answer'>): Promise<boolean> {
  return new Promise((resolve) => {
    const id = (lastId += 1);
    const answer = (yes: boolean) => {
      become({ dialogs: messages.read().dialogs.filter((other) => other.id !== id) });
      resolve(yes);
    };
    become({ dialogs: [...messages.read().dialogs, { ...dialog, id, answer }] });
  });
}

const news = async (kind: Kind, title: string, text?: string) => {
  await open({ kind, title, text, yes: 'OK', no: undefined, danger: false });
};

/** News with an OK button. Resolves when the user has closed it. */
export const success = (title: string, text?: string) => news('success', title, text);

export const failure = (title: string, text?: string) => news('error', title, text);

export const notArrived = () =>
  void failure('Part of this page did not arrive', 'Check your connection and try again.');

/** A question. True only when the user presses the button named `yes`; Cancel has the focus. */
export const ask = ({
  title,
  text,
  yes,
  no = 'Cancel',
  danger = false,
}: {
  title: string;
  text?: string;
  yes: string;
  no?: string;
  danger?: boolean;
}) => open({ kind: 'question', title, text, yes, no, danger });

/** The question before a deletion, in the words of the specification. */
export const confirmDelete = () =>
  ask({
    title: 'Are you sure?',
    text: "You won't be able to revert this!",
    yes: 'Yes, delete it!',
    danger: true,
  });
