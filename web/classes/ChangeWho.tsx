// For whom a seat is, in the cart or booked, and the sheet that changes it.
import { isForChildren } from '../../contract/people/ages.ts';
import { changeCartItem, changeWho, type CartItem } from '../../contract/checkout/cart.ts';
import { send } from '../platform/api/send.ts';
import { ForWhom, nameFor, whomOf } from '../platform/ui/ForWhom.tsx';
import { onDemand } from '../platform/ui/onDemand.tsx';

const WhoSheet = onDemand(() => import('./WhoSheet.tsx').then((m) => m.WhoSheet));

interface ChangeWhoProps {
  item: Pick<CartItem, 'classId' | 'name' | 'participantId'> & { id: string };
  /** What was paid stays; the coach and the guardians are told. */
  isBooked?: boolean;
  onClose: () => void;
  onChanged?: () => void;
}

export function ChangeWho({ item, isBooked, onClose, onChanged }: ChangeWhoProps) {
  const { id, classId, name } = item;
  const give = async (participantId: string) => {
    const given = await send(isBooked ? changeWho : changeCartItem, { id, participantId });
    onChanged?.();
    return given;
  };
  const replaces = { name, participantId: item.participantId, give };
  return <WhoSheet {...{ classId, replaces, onClose }} />;
}

interface ItemForProps {
  item: CartItem;
  among: readonly CartItem[];
  onChange: (item: CartItem) => void;
}

/** "for Mia", and "for you" in a class for children, with a button that changes it. */
export function ItemFor({ item, among, onChange }: ItemForProps) {
  const own = isForChildren(item.maxAge) ? 'you' : undefined;
  const whom = whomOf(item.participant, among) ?? own;
  const isOnSale = item.state === 'ok' || item.state === 'price-changed';
  if (!whom) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-2">
      <ForWhom name={whom} />
      {isOnSale && <ChangeLink of={nameFor(item.name, whom)} onChange={() => onChange(item)} />}
    </div>
  );
}

export function ChangeLink({ of, onChange }: { of: string; onChange: () => void }) {
  return (
    <button
      type="button"
      className="muted link relative -my-2.5 flex min-h-11 items-center text-sm font-normal"
      aria-label={`Change who it is for: ${of}`}
      onClick={onChange}
    >
      Change
    </button>
  );
}
