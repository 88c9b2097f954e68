// Where an address must be confirmed first: its digits are asked for in place, or in a dialog over what
// was being done, which then goes on. The form is loaded when it is shown.
import { useEffect, useState } from 'react';
import { onUnproven } from '../../platform/api/send.ts';
import { onDemand, partOnDemand } from '../../platform/ui/onDemand.tsx';
import { Skeleton } from '../../platform/ui/States.tsx';

export const ConfirmInPlace = partOnDemand(
  () => import('./ConfirmCode.tsx').then((m) => m.ConfirmCode),
  <Skeleton className="h-44" />,
);

const ConfirmDialog = onDemand(() => import('./ConfirmDialog.tsx').then((m) => m.ConfirmDialog));

/** Mounted once. Changes that are refused at the same moment wait for one answer. */
export function ConfirmFirst() {
  const [answer, setAnswer] = useState<((confirmed: boolean) => void) | null>(null);
  useEffect(() => {
    let asked: Promise<boolean> | null = null;
    onUnproven(
      () =>
        (asked ??= new Promise((resolve) => {
          setAnswer(() => (confirmed: boolean) => {
            asked = null;
            setAnswer(null);
            resolve(confirmed);
          });
        })),
    );
    return () => onUnproven(async () => false);
  }, []);
  return answer && <ConfirmDialog onConfirmed={() => answer(true)} onClose={() => answer(false)} />;
}
