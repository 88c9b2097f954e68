// The admin returns what was paid for one seat, or a part of it, with a reason, and ends the enrolment or
// keeps it.
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { overrideEnrolment } from '../../contract/checkout/payments.ts';
import { cents as centsOf } from '../../contract/platform/rules.ts';
import { useSendForm } from '../platform/api/form.ts';
import { useCall } from '../platform/api/query.ts';
import { Field, TextArea, Tick } from '../platform/ui/Field.tsx';
import { FormDialog } from '../platform/ui/FormDialog.tsx';
import { nameFor } from '../platform/ui/ForWhom.tsx';
import { toast } from '../platform/ui/alert.ts';
import { currencyName } from '../platform/ui/locale.ts';
import { asTyped, decimal, price } from '../platform/ui/money.ts';
import type { SoldLine } from './PaymentLines.tsx';
import { toldToFamily } from './RefundDialog.tsx';

interface Props {
  line: SoldLine;
  onClose: () => void;
}

const noAmount = 'Must be an amount such as 5.00, up to 10000.00';

export function PartRefundDialog({ line, onClose }: Props) {
  const override = useCall(overrideEnrolment);
  const { leftCents } = line;
  // Null until the admin decides. Until then the enrolment ends when all that is left goes back.
  const [chosen, setChosen] = useState<boolean | null>(null);
  const [asCredit, setAsCredit] = useState(false);
  const ends = (cents: number | null) =>
    line.state === 'enrolled' && (chosen ?? cents === leftCents);
  const form = useSendForm({
    defaultValues: { card: asTyped((leftCents / 100).toFixed(2)), reason: '' },
    send: async ({ card, reason }, { setError }) => {
      const cents = centsOf(decimal(card));
      if (cents === null || cents > leftCents) {
        const message = cents === null ? noAmount : `Must be at most ${price(leftCents)}`;
        setError('card', { message }, { shouldFocus: true });
        return;
      }
      const end = ends(cents);
      const going = asCredit ? { cents: 0, creditCents: cents } : { cents };
      await override.mutateAsync({ id: line.enrolmentId, ...going, reason, end, leftCents });
      onClose();
      toast(cents === 0 ? 'Enrolment ended' : asCredit ? 'Credit given' : 'Refund started');
    },
    fieldOf: ({ field }) => (field === 'cents' ? 'card' : field),
  });
  const { card = '' } = useWatch({ control: form.form.control });
  const cents = centsOf(decimal(card));
  const end = ends(cents);
  return (
    <FormDialog
      title={nameFor(line.name, line.participant)}
      form={form}
      submit={
        cents && cents <= leftCents
          ? `${asCredit ? 'Give credit of' : 'Refund'} ${price(cents)}`
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
        hint={`In ${currencyName()}, up to ${price(leftCents)}.`}
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
      <Tick checked={asCredit} onChange={({ currentTarget }) => setAsCredit(currentTarget.checked)}>
        As credit, not to the card
      </Tick>
      {line.state === 'enrolled' && (
        <Tick checked={end} onChange={({ currentTarget }) => setChosen(currentTarget.checked)}>
          End the enrolment and free the seat
        </Tick>
      )}
    </FormDialog>
  );
}
