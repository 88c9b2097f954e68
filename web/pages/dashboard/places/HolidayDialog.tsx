// Adds a holiday, and shows before that which meetings are planned on its days.
import { useWatch } from 'react-hook-form';
import { addClosure, listClosures } from '../../../../contract/places.ts';
import { limits } from '../../../../contract/limits.ts';
import { useSendForm } from '../../../api/form.ts';
import { useCall } from '../../../api/query.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Modal } from '../../../ui/Modal.tsx';
import { ErrorNote } from '../../../ui/States.tsx';
import { toast } from '../../../ui/alert.ts';
import { MeetingsOn } from './MeetingsOn.tsx';

export function HolidayDialog({ today, onClose }: { today: string; onClose: () => void }) {
  const add = useCall(addClosure, { refreshes: [listClosures] });
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
    <Modal title="Add a holiday" onClose={onClose}>
      <form className="flex flex-col gap-4" {...form.props}>
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
        {form.problem && <ErrorNote message={form.problem} />}
        <div className="flex justify-end gap-2">
          <Button look="plain" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={form.busy}>
            Add
          </Button>
        </div>
      </form>
    </Modal>
  );
}
