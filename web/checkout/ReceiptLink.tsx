// The button that opens the receipt of a payment.
import { paths } from '../platform/paths.ts';
import { LinkButton } from '../platform/ui/Button.tsx';

export function ReceiptLink({ paymentId, of }: { paymentId: string; of: string }) {
  return (
    <LinkButton size="small" look="outline" to={paths.dashboard.receipt(paymentId)} of={of}>
      Receipt
    </LinkButton>
  );
}
