// Amounts as people read them: `$1,250.00`, and `$95` where a price has no cents and space is
// short. In the academy's currency and language.
import { amount } from './locale.ts';

export const money = (value: number) => amount(value);
export const shortMoney = (value: number) => amount(value, { brief: true });
