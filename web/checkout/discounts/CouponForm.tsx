// Adds a coupon: a code that takes a percentage or an amount off the whole cart.
import { useWatch } from 'react-hook-form';
import { addDiscount } from '../../../contract/checkout/discounts.ts';
import { limits } from '../../../contract/platform/limits.ts';
import { cents as centsOf } from '../../../contract/platform/rules.ts';
import { useSendForm } from '../../platform/api/form.ts';
import { useCall, useSettings } from '../../platform/api/query.ts';
import { todayIn } from '../../platform/ui/dates.ts';
import { Field, Select } from '../../platform/ui/Field.tsx';
import { FormDialog } from '../../platform/ui/FormDialog.tsx';
import { toast } from '../../platform/ui/alert.ts';
import { currencyName } from '../../platform/ui/locale.ts';
import { decimal } from '../../platform/ui/money.ts';
import { Example } from './Example.tsx';
import { couponExample } from './examples.ts';

interface Values {
  name: string;
  code: string;
  unit: string;
  off: string;
  until: string;
  usesMost: string;
  perAccount: string;
}

/** Zero while it is no number. */
const offOf = ({ unit, off = '' }: Partial<Values>) =>
  unit === '%'
    ? { percent: Math.min(100, Math.trunc((centsOf(decimal(off)) ?? 0) / 100)) }
    : { cents: centsOf(decimal(off)) ?? 0 };

export function CouponForm({ onClose }: { onClose: () => void }) {
  const add = useCall(addDiscount);
  const today = todayIn(useSettings().timeZone);
  const form = useSendForm<Values>({
    defaultValues: {
      name: 'Coupon',
      code: '',
      unit: '%',
      off: '10',
      until: '',
      usesMost: '',
      perAccount: '1',
    },
    send: async ({ name, code, unit, off, until, usesMost, perAccount }, { setError }) => {
      const cents = centsOf(decimal(off));
      if (unit !== '%' && cents === null) {
        setError('off', { message: 'Must be an amount such as 5.00' }, { shouldFocus: true });
        return;
      }
      await add.mutateAsync({
        kind: 'coupon',
        name,
        code,
        perAccount,
        ...(unit === '%' ? { percent: off } : { cents: cents ?? 0 }),
        ...(until && { until }),
        ...(usesMost && { usesMost }),
      });
      onClose();
      toast('Discount added');
    },
    fieldOf: ({ field }) => (field === 'percent' || field === 'cents' ? 'off' : field),
  });
  const typed = useWatch({ control: form.form.control });
  return (
    <FormDialog title="Coupon" form={form} submit="Add" onClose={onClose}>
      <Field
        label="Code"
        required
        data-focus-first
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={60}
        placeholder="SPRING-2027"
        hint="4 to 24 letters, digits or hyphens."
        className="figures uppercase placeholder:normal-case"
        {...form.field('code')}
      />
      <div className="grid grid-cols-[minmax(0,1fr)_7rem] items-start gap-3">
        <Field
          label="Off"
          inputMode="decimal"
          maxLength={8}
          required
          className="figures"
          {...form.field('off')}
        />
        <Select label="In" {...form.field('unit')}>
          <option value="%">percent</option>
          <option value="$">{currencyName()}</option>
        </Select>
      </div>
      <div className="grid items-start gap-4 min-[22rem]:grid-cols-2">
        <Field
          label="Uses in all"
          type="number"
          inputMode="numeric"
          min={1}
          max={limits.discount.uses}
          hint="Empty: no limit."
          className="figures"
          {...form.field('usesMost')}
        />
        <Field
          label="Uses per account"
          type="number"
          inputMode="numeric"
          min={1}
          max={limits.discount.perAccount}
          required
          className="figures"
          {...form.field('perAccount')}
        />
      </div>
      <Field
        label="Last day"
        type="date"
        min={today}
        className="min-h-11"
        hint="Empty: until you end it."
        {...form.field('until')}
      />
      <Field label="Name" required maxLength={limits.name} {...form.field('name')} />
      <Example>{couponExample(offOf(typed))}</Example>
    </FormDialog>
  );
}
