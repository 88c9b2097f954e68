// Which refund at the provider is which of our rows, and which were made in its dashboard. A refund is
// known by our id in its metadata, never by its amount: two lines may have the same price.
import type { ProviderRefund } from '../../platform/cards.ts';
import type { Refund } from './rows.ts';

const counts = ({ status }: ProviderRefund) => status !== 'failed';

/** The refund at the provider that a row of ours is about. */
export const ownOf = (
  refund: Pick<Refund, 'id' | 'stripeRefundId'>,
  there: readonly ProviderRefund[],
): ProviderRefund | undefined =>
  there.find(({ id }) => id === refund.stripeRefundId) ??
  there.find((one) => counts(one) && one.refundId === refund.id);

/** Those that no row of ours is about, oldest first. */
export const foreignOf = (rows: readonly Refund[], there: readonly ProviderRefund[]) =>
  there
    .filter(({ id, status, refundId }) => {
      const ours = rows.some((row) => row.stripeRefundId === id || row.id === refundId);
      return status === 'succeeded' && !ours;
    })
    .toReversed();

/**
 * Whether the provider has returned what our rows say, to the cent. Refunds that it has made and that
 * are still to be recorded do not count. `rows` were read before `there`.
 */
export function agrees(rows: readonly Refund[], there: readonly ProviderRefund[]): boolean {
  const due = new Set(rows.filter(({ state }) => state === 'due').map(({ id }) => id));
  const made = there.filter((one) => counts(one) && !due.has(one.refundId ?? ''));
  const known = rows.filter(({ state }) => state === 'sent' || state === 'succeeded');
  return sum(made) === sum(known);
}

const sum = (all: readonly { amountCents: number }[]) =>
  all.reduce((cents, { amountCents }) => cents + amountCents, 0);
