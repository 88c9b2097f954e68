// A sheet over a public page. The dialog is loaded when the first one is opened.
import type { ReactNode } from 'react';
import { onDemand } from './onDemand.tsx';

const Modal = onDemand(() => import('./Modal.tsx').then((m) => m.Modal));

interface SheetProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

export const Sheet = (props: SheetProps) => <Modal {...props} shape="sheet" />;
