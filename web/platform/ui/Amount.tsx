// An amount of money: it never breaks across a line, nor from its sign.
import { money } from './money.ts';

interface AmountProps {
  value: number;
  sign?: '−';
  className?: string;
}

export const Amount = ({ value, sign, className = '' }: AmountProps) => (
  <span className={`figures whitespace-nowrap ${className}`}>
    {sign}
    {money(value)}
  </span>
);
