// Money of an ended class that goes back to the card: until then one tap makes it credit.
import { chooseRefund } from '../../contract/checkout/credit.ts';
import type { ReceiptRefund } from '../../contract/checkout/payments.ts';
import { CallButton } from '../platform/api/CallButton.tsx';

export const RefundChoice = ({ refund: { refundId: id } }: { refund: ReceiptRefund }) => (
  <span className="mt-2 flex flex-wrap gap-2 print:hidden">
    <CallButton
      call={chooseRefund}
      input={{ id, to: 'credit' }}
      said="It is credit now"
      look="outline"
      size="small"
    >
      Keep it as credit
    </CallButton>
    <CallButton
      call={chooseRefund}
      input={{ id, to: 'card' }}
      said="It is on its way to your card"
      look="plain"
      size="small"
    >
      Send it to my card now
    </CallButton>
  </span>
);
