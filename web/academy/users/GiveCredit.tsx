// The office gives credit to an account or takes it back, with a reason that the family reads.
import { useState } from 'react';
import { giveCredit } from '../../../contract/checkout/credit.ts';
import type { UserPage } from '../../../contract/academy/userpage.ts';
import { cents as centsOf } from '../../../contract/platform/rules.ts';
import { useSendForm } from '../../platform/api/form.ts';
import { useCall } from '../../platform/api/query.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { Card } from '../../platform/ui/Card.tsx';
import { Field, TextArea } from '../../platform/ui/Field.tsx';
import { FormDialog } from '../../platform/ui/FormDialog.tsx';
import { currencyName } from '../../platform/ui/locale.ts';
import { decimal, price } from '../../platform/ui/money.ts';

type Act = 'Give' | 'Take back';

export function CreditCard({ user }: { user: UserPage }) {
  const [act, setAct] = useState<Act | null>(null);
  const button = (words: Act) => (
    <Button size="small" look="outline" of="credit" onClick={() => setAct(words)}>
      {words}
    </Button>
  );
  return (
    <Card
      title="Credit"
      actions={
        <span className="flex gap-2">
          {button('Give')}
          {user.creditCents > 0 && button('Take back')}
        </span>
      }
    >
      <p className="figures text-xl font-bold">{price(user.creditCents)}</p>
      {act && <GiveDialog user={user} act={act} onClose={() => setAct(null)} />}
    </Card>
  );
}

function GiveDialog({ user, act, onClose }: { user: UserPage; act: Act; onClose: () => void }) {
  const give = useCall(giveCredit);
  // A second tap, and a second try after a lost answer, give nothing more.
  const [key] = useState(() => crypto.randomUUID());
  const form = useSendForm({
    defaultValues: { cents: '', reason: '' },
    send: async ({ cents: typed, reason }, { setError }) => {
      const cents = centsOf(decimal(typed));
      if (!cents) {
        setError('cents', { message: 'Must be an amount such as 12.00' }, { shouldFocus: true });
        return;
      }
      const signed = act === 'Give' ? cents : -cents;
      await give.mutateAsync({ studentId: user._id, cents: signed, reason, key });
      onClose();
    },
    sent: act === 'Give' ? 'Credit given' : 'Credit taken back',
  });
  return (
    <FormDialog title={`${act} credit`} form={form} submit={act} onClose={onClose}>
      <Field
        label="Amount"
        type="text"
        inputMode="decimal"
        required
        data-focus-first
        autoComplete="off"
        maxLength={9}
        hint={`In ${currencyName()}. ${user.name} has ${price(user.creditCents)}.`}
        className="min-h-11"
        {...form.field('cents')}
      />
      <TextArea
        label="Reason"
        hint="The family reads it beside the entry."
        required
        maxLength={500}
        className="min-h-24"
        {...form.field('reason')}
      />
    </FormDialog>
  );
}
