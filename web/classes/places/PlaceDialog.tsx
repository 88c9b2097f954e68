// Adds a place, or changes one.
import { addPlace, changePlace, type Place } from '../../../contract/classes/places.ts';
import { limits } from '../../../contract/platform/limits.ts';
import { useSendForm } from '../../platform/api/form.ts';
import { useCall } from '../../platform/api/query.ts';
import { Field } from '../../platform/ui/Field.tsx';
import { FormDialog } from '../../platform/ui/FormDialog.tsx';
import { toast } from '../../platform/ui/alert.ts';

export function PlaceDialog({ place, onClose }: { place: Place | null; onClose: () => void }) {
  const add = useCall(addPlace);
  const change = useCall(changePlace);
  const form = useSendForm({
    defaultValues: {
      name: place?.name ?? '',
      address: place?.address ?? '',
      capacity: place ? String(place.capacity) : '',
    },
    send: async (typed) => {
      const values = { ...typed, capacity: Number(typed.capacity) };
      await (place ? change.mutateAsync({ id: place._id, ...values }) : add.mutateAsync(values));
      onClose();
      toast(place ? 'Place changed' : 'Place added');
    },
  });
  return (
    <FormDialog
      title={place ? `Change ${place.name}` : 'Add a place'}
      form={form}
      submit={place ? 'Save' : 'Add'}
      onClose={onClose}
    >
      <Field
        label="Name"
        required
        data-focus-first
        maxLength={limits.name}
        placeholder="Court 1"
        {...form.field('name')}
      />
      <Field
        label="Address"
        maxLength={200}
        placeholder="Rua do Sol 4, Lisbon"
        {...form.field('address')}
      />
      <Field
        label="How many it takes"
        required
        type="number"
        inputMode="numeric"
        min={limits.seats.min}
        max={limits.seats.max}
        placeholder="12"
        {...form.field('capacity')}
      />
    </FormDialog>
  );
}
