// Adds a holiday, and shows before that which meetings are planned on its days.
import { useWatch } from 'react-hook-form';
import { addClosure } from '../../../contract/classes/places.ts';
import { limits } from '../../../contract/platform/limits.ts';
import { useSendForm } from '../../platform/api/form.ts';
import { useCall } from '../../platform/api/query.ts';
import { Field } from '../../platform/ui/Field.tsx';
import { FormDialog } from '../../platform/ui/FormDialog.tsx';
import { toast } from '../../platform/ui/alert.ts';
import { MeetingsOn } from './MeetingsOn.tsx';

export function HolidayDialog({ today, onClose }: { today: string; onClose: () => void }) {
  const add = useCall(addClosure);
  const form = useSendForm({
    defaultValues: { name: '', firstDay: '', lastDay: '' },
    send: async ({ lastDay, ...values }) => {
      await add.mutateAsync({ ...values, lastDay: lastDay || values.firstDay });
      onClose();
      toast('Holiday added');
    },
  });
  const { firstDay = '', lastDay = '' } = useWatch({ control: form.form.control });
  return (
    <FormDialog title="Add a holiday" form={form} submit="Add" onClose={onClose}>
      <Field
        label="Name"
        required
        data-focus-first
        maxLength={limits.name}
        placeholder="Christmas holiday"
        {...form.field('name')}
      />
      <div className="grid gap-4 min-[22rem]:grid-cols-2">
        <Field
          label="First day"
          type="date"
          required
          min={today}
          className="min-h-11"
          {...form.field('firstDay')}
        />
        <Field
          label="Last day"
          type="date"
          min={firstDay || today}
          className="min-h-11"
          hint="Empty: one day."
          {...form.field('lastDay')}
        />
      </div>
      <MeetingsOn from={firstDay} to={lastDay || firstDay} />
    </FormDialog>
  );
}
