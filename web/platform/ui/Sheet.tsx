// A sheet over a public page. The dialog is loaded when the first one is opened.
import { lazy, type ReactNode, Suspense } from 'react';

const Modal = lazy(() => import('./Modal.tsx').then((file) => ({ default: file.Modal })));

interface SheetProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

export const Sheet = (props: SheetProps) => (
  <Suspense>
    <Modal {...props} shape="sheet" />
  </Suspense>
);
