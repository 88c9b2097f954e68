// The admin returns what was paid for one seat, or a part of it, with a reason, and ends the enrolment or
// keeps it.
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { overrideEnrolment } from '../../contract/checkout/payments.ts';
import { useSendForm } from '../platform/api/form.ts';
import { useCall } from '../platform/api/query.ts';
import { Field, TextArea } from '../platform/ui/Field.tsx';
import { FormDialog } from '../platform/ui/FormDialog.tsx';
import { nameFor } from '../platform/ui/ForWhom.tsx';
import { toast } from '../platform/ui/alert.ts';
import { currencyName } from '../platform/ui/locale.ts';
import { asTyped, decimal, money } from '../platform/ui/money.ts';
import { leftOf, type SoldLine } from './PaymentLines.tsx';
import { toldToFamily } from './RefundDialog.tsx';

interface Props {
  line: SoldLine;
  onClose: () => void;
}

/** Zero while it is no amount. */
const amountOf = (card: string) =>
  /^\d{1,5}(\.\d{1,2})?$/.test(decimal(card)) ? Number(decimal(card)) : 0;

export function PartRefundDialog({ line, onClose }: Props) {
  const override = useCall(overrideEnrolment);
  const left = leftOf(line);
  // Null until the admin decides. Until then the enrolment ends when all that is left goes back.
  const [chosen, setChosen] = useState<boolean | null>(null);
  const ends = (card: string) => line.state === 'enrolled' && (chosen ?? amountOf(card) === left);
  const form = useSendForm({
    defaultValues: { card: asTyped(left.toFixed(2)), reason: '' },
    send: async ({ card, reason }, { setError }) => {
      if (amountOf(card) > left) {
        setError('card', { message: `Must be at most ${money(left)}` }, { shouldFocus: true });
        return;
      }
      const end = ends(card);
      await override.mutateAsync({ id: line.enrolmentId, card: decimal(card), reason, end, left });
      onClose();
      toast(amountOf(card) > 0 ? 'Refund started' : 'Enrolment ended');
    },
  });
  const { card = '' } = useWatch({ control: form.form.control });
  const amount = amountOf(card);
  const end = ends(card);
  return (
    <FormDialog
      title={nameFor(line.name, line.participant)}
      form={form}
      submit={
        amount > 0 && amount <= left
          ? `Refund ${money(amount)}`
          : end
            ? 'End the enrolment'
            : 'Refund'
      }
      onClose={onClose}
    >
      <Field
        label="Amount"
        type="text"
        inputMode="decimal"
        required
        data-focus-first
        autoComplete="off"
        maxLength={8}
        hint={`In ${currencyName()}, up to ${money(left)}.`}
        className="min-h-11"
        {...form.field('card')}
      />
      <TextArea
        label="Reason"
        hint={toldToFamily}
        required
        maxLength={500}
        className="min-h-24"
        {...form.field('reason')}
      />
      {line.state === 'enrolled' && (
        <label className="flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            className="checkbox checkbox-primary rounded-md"
            checked={end}
            onChange={({ currentTarget }) => setChosen(currentTarget.checked)}
          />
          <span>End the enrolment and free the seat</span>
        </label>
      )}
    </FormDialog>
  );
}
