// Another class instead of this one: those of the same sport and age, each with the difference. The
// chosen one is paid on the page of every payment.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { addToCart, getCart } from '../../contract/checkout/cart.ts';
import { type Change, listChanges } from '../../contract/checkout/leaving.ts';
import type { Enrolment } from '../../contract/checkout/payments.ts';
import { query } from '../platform/api/query.ts';
import { readable, send } from '../platform/api/send.ts';
import { paths } from '../platform/paths.ts';
import { Button, LinkButton } from '../platform/ui/Button.tsx';
import { nameFor } from '../platform/ui/ForWhom.tsx';
import { Modal } from '../platform/ui/Modal.tsx';
import { price } from '../platform/ui/money.ts';
import { ErrorNote, Skeleton } from '../platform/ui/States.tsx';
import { WhenWhere } from '../platform/ui/WhenWhere.tsx';

interface ChangeProps {
  row: Enrolment;
  onClose: () => void;
}

export function ChangeSheet({ row, onClose }: ChangeProps) {
  const navigate = useNavigate();
  const changes = useQuery({ ...query(listChanges, { id: row.enrolmentId }), staleTime: 0 });
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState('');

  const choose = async ({ classId }: Change) => {
    setBusy(classId);
    setProblem(null);
    try {
      const { participantId, enrolmentId } = row;
      const item = await inCart(classId, participantId);
      void navigate(paths.dashboard.paymentInstead(item, enrolmentId));
    } catch (error) {
      setProblem(readable(error));
      setBusy('');
    }
  };

  return (
    <Modal
      shape="sheet"
      title={`Change ${nameFor(row.name, row.participant)} to`}
      onClose={onClose}
    >
      {changes.error && !changes.data && <ErrorNote message={changes.error.message} />}
      {!changes.error && !changes.data && <Skeleton className="h-56" />}
      {changes.data?.length === 0 && <p>There is no other class for this age just now.</p>}
      <ul className="divide-base-300 divide-y">
        {changes.data?.map((change) => (
          <li key={change.classId} className="flex items-center justify-between gap-4 py-3">
            <div className="min-w-0">
              <p className="font-semibold wrap-anywhere">{change.name}</p>
              <WhenWhere schedule={change.schedule} place={change.place} />
            </div>
            {change.full ? (
              <LinkButton
                look="outline"
                size="small"
                to={`${paths.class(change.classId)}?list=${row.participantId}&instead=${row.enrolmentId}`}
                of={change.name}
              >
                Full: wait
              </LinkButton>
            ) : (
              <Button
                look="outline"
                className="figures shrink-0"
                aria-label={`Change to ${change.name}: ${difference(change)}`}
                busy={busy === change.classId}
                onClick={() => void choose(change)}
              >
                {difference(change)}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <ErrorNote message={problem} />
    </Modal>
  );
}

const difference = ({ payCents, backCents }: Change) =>
  payCents > 0
    ? `+${price(payCents)}`
    : backCents > 0
      ? `−${price(backCents)} as credit`
      : 'same price';

/** The item of the cart, also when the class was there before. */
async function inCart(classId: string, participantId: string): Promise<string> {
  const cart = await send(getCart, {});
  const known = cart.find((one) => one.classId === classId && one.participantId === participantId);
  return (
    known?.cartItemId ?? (await send(addToCart, { itemId: classId, participantId })).insertedId
  );
}
