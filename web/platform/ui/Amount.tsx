// An amount of money: it never breaks across a line, nor from its sign.
import { price } from './money.ts';

interface AmountProps {
  cents: number;
  sign?: '−';
  className?: string;
}

export const Amount = ({ cents, sign, className = '' }: AmountProps) => (
  <span className={`figures whitespace-nowrap ${className}`}>
    {sign}
    {price(cents)}
  </span>
);
