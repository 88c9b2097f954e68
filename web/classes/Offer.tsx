// What a class costs, how many seats are free, and the button that selects it, in one row.
import type { Class } from '../../contract/classes/classes.ts';
import { shortMoney } from '../platform/ui/money.ts';
import { SelectButton } from './SelectButton.tsx';

/** `onPage`: the main action of the class page. It is larger next to the page than below it. */
export function Offer({ item, onPage = false }: { item: Class; onPage?: boolean }) {
  return (
    <div
      className={`figures flex flex-wrap items-end gap-x-3 gap-y-2 whitespace-nowrap ${onPage ? 'lg:gap-x-8' : 'lg:gap-x-4'}`}
    >
      <p>
        <span className="muted block text-xs">Price</span>
        <span className={`block text-lg/6 font-bold ${onPage ? 'lg:text-3xl' : ''}`}>
          {shortMoney(item.price)}
        </span>
      </p>
      <Seats seat={item.seat} className={onPage ? 'lg:text-3xl' : ''} />
      <SelectButton
        item={item}
        look={onPage ? 'primary' : 'outline'}
        className={`relative z-10 grow ${onPage ? 'sm:max-lg:ml-auto sm:max-lg:max-w-xs lg:mt-4 lg:h-13 lg:basis-full lg:text-base' : 'h-11 sm:h-10'}`}
      />
    </div>
  );
}

/** What is really free. Few left are said in words, not by colour alone. */
function Seats({ seat, className }: { seat: number; className: string }) {
  const few = seat > 0 && seat <= 3;
  return (
    <p className={seat <= 0 ? 'text-error' : few ? 'text-warning' : ''}>
      <span className={`block text-xs ${few || seat <= 0 ? '' : 'muted'}`}>Available Seats</span>
      <span className={`block text-lg/6 font-bold ${className}`}>
        {Math.max(0, seat)}
        {few && <span className="text-sm font-semibold"> left</span>}
      </span>
    </p>
  );
}
