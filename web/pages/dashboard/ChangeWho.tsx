// For whom an item of the cart is, and the sheet that changes it, in which a child can be added.
import type { CartItem } from '../../../contract/cart.ts';
import { AskIfChild, mayBeForChild } from '../../features/checkout/AskIfChild.tsx';
import { Button } from '../../ui/Button.tsx';
import { ForWhom, nameFor, whomOf } from '../../ui/ForWhom.tsx';
import { onDemand } from '../../ui/onDemand.tsx';

const WhoSheet = onDemand(() =>
  import('../../features/classes/WhoSheet.tsx').then((m) => m.WhoSheet),
);
const AddChild = onDemand(() => import('./family/AddChild.tsx').then((m) => m.AddChild));

export function ChangeWho({ item, onClose }: { item: CartItem; onClose: () => void }) {
  return <WhoSheet classId={item.itemId} replaces={item} AddChild={AddChild} onClose={onClose} />;
}

const isOnSale = ({ state }: CartItem) => state === 'ok' || state === 'price-changed';

interface ItemProps {
  item: CartItem;
  onChange: (item: CartItem) => void;
}

/** "for Mia", with a button that changes it until a seat is held. */
export function ItemFor({ item, among, onChange }: ItemProps & { among: readonly CartItem[] }) {
  const whom = whomOf(item.participant, among);
  if (!whom) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-2">
      <ForWhom name={whom} />
      {isOnSale(item) && !item.paying && !mayBeForChild(item) && (
        <button
          type="button"
          className="muted link -my-2.5 flex min-h-11 items-center text-sm font-normal"
          aria-label={`Change who it is for: ${nameFor(item.name, whom)}`}
          onClick={() => onChange(item)}
        >
          Change
        </button>
      )}
    </div>
  );
}

/** Asks whether a seat of one's own in a class for children is for a child. */
export function ItemAsk({ item, onChange }: ItemProps) {
  if (!isOnSale(item)) return null;
  return (
    <AskIfChild seat={item}>
      {item.paying ? (
        'To change that, delete it and select it again.'
      ) : (
        <Button
          size="small"
          look="outline"
          className="mt-1.5"
          aria-label={`Choose a child: ${item.name}`}
          onClick={() => onChange(item)}
        >
          Choose a child
        </Button>
      )}
    </AskIfChild>
  );
}
