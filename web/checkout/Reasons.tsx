// Why a basket costs less than its list prices: every discount of every line.
import type { BasketLine } from '../../contract/platform/lines.ts';
import { nameFor } from '../platform/ui/ForWhom.tsx';
import { money } from '../platform/ui/money.ts';

export function Reasons({ lines }: { lines: readonly BasketLine[] }) {
  return (
    <ul className="flex flex-col gap-4">
      {lines
        .filter(({ discount }) => discount > 0)
        .map(({ item, name, participant, price, amount, why }) => (
          <li key={item}>
            <p className="flex items-baseline justify-between gap-4">
              <span className="font-semibold wrap-anywhere">{nameFor(name, participant)}</span>
              <span className="figures">{money(price)}</span>
            </p>
            <ul>
              {why.map(({ text, amount: off }) => (
                <li key={text} className="text-success flex justify-between gap-4 text-sm">
                  <span className="wrap-anywhere">{text}</span>
                  <span className="figures">−{money(off)}</span>
                </li>
              ))}
            </ul>
            <p className="figures border-base-300 mt-1 border-t pt-1 text-right font-semibold">
              {money(amount)}
            </p>
          </li>
        ))}
    </ul>
  );
}
