// Amounts as people read them: `$1,250.00`, and `$95` where a price has no cents and space is
// short. In the academy's currency and language.
import { amountFormat } from './locale.ts';

export const money = (amount: number) => amountFormat().format(amount);
export const shortMoney = (amount: number) =>
  amountFormat({ trailingZeroDisplay: 'stripIfInteger' }).format(amount);
