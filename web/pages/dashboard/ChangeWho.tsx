// For whom an item of the cart is, and the sheet that changes it. A seat that is held stays held.
import { changeCartItem, type CartItem } from '../../../contract/cart.ts';
import { send } from '../../api/send.ts';
import { AskIfChild, mayBeForChild } from '../../features/checkout/AskIfChild.tsx';
import { Button } from '../../ui/Button.tsx';
import { ForWhom, nameFor, whomOf } from '../../ui/ForWhom.tsx';
import { onDemand } from '../../ui/onDemand.tsx';

export const WhoSheet = onDemand(() =>
  import('../../features/classes/WhoSheet.tsx').then((m) => m.WhoSheet),
);

type Item = Pick<CartItem, '_id' | 'itemId' | 'name' | 'participantId'>;

interface ChangeWhoProps {
  item: Item;
  onClose: () => void;
  onChanged?: () => void;
}

export function ChangeWho({ item, onClose, onChanged }: ChangeWhoProps) {
  const give = async (participantId: string) => {
    const given = await send(changeCartItem, { id: item._id, participantId });
    onChanged?.();
    return given;
  };
  const { itemId, name, participantId } = item;
  return <WhoSheet classId={itemId} replaces={{ name, participantId, give }} onClose={onClose} />;
}

const isOnSale = ({ state }: CartItem) => state === 'ok' || state === 'price-changed';

interface ItemProps {
  item: CartItem;
  onChange: (item: CartItem) => void;
}

/** "for Mia", with a button that changes it until the card is charged. */
export function ItemFor({ item, among, onChange }: ItemProps & { among: readonly CartItem[] }) {
  const whom = whomOf(item.participant, among);
  if (!whom) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-2">
      <ForWhom name={whom} />
      {isOnSale(item) && !mayBeForChild(item) && (
        <ChangeLink of={nameFor(item.name, whom)} onChange={() => onChange(item)} />
      )}
    </div>
  );
}

interface ChangeLinkProps {
  of: string;
  label?: string;
  onChange: () => void;
}

export function ChangeLink({ of, label = 'Change', onChange }: ChangeLinkProps) {
  return (
    <button
      type="button"
      className="muted link -my-2.5 flex min-h-11 items-center text-sm font-normal"
      aria-label={`Change who it is for: ${of}`}
      onClick={onChange}
    >
      {label}
    </button>
  );
}

/** Asks whether a seat of one's own in a class for children is for a child. */
export function ItemAsk({ item, onChange }: ItemProps) {
  if (!isOnSale(item)) return null;
  return (
    <AskIfChild seat={item}>
      <Button
        size="small"
        look="outline"
        className="mt-1.5"
        aria-label={`Choose a child: ${item.name}`}
        onClick={() => onChange(item)}
      >
        Choose a child
      </Button>
    </AskIfChild>
  );
}
