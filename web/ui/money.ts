// Dollars as people read them: `$1,250.00`, and `$95` where a price has no cents and space is
// short.

const exact = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const short = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  trailingZeroDisplay: 'stripIfInteger',
});

export const money = (dollars: number) => exact.format(dollars);
export const shortMoney = (dollars: number) => short.format(dollars);
