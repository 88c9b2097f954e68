// The dialog that adds a child, also to the care of people who look after another child together
// with the caller.
import { addParticipant, type Participant } from '../../../contract/people/family.ts';
import { limits } from '../../../contract/platform/limits.ts';
import { useSendForm } from '../../platform/api/form.ts';
import { useCall, useSettings } from '../../platform/api/query.ts';
import { todayIn } from '../../platform/ui/dates.ts';
import { Field } from '../../platform/ui/Field.tsx';
import { FormDialog } from '../../platform/ui/FormDialog.tsx';
import { toast } from '../../platform/ui/alert.ts';
import { Choices } from './Choices.tsx';

interface AddChildProps {
  people: readonly Participant[];
  onClose: () => void;
}

export function AddChild({ people, onClose }: AddChildProps) {
  const add = useCall(addParticipant);
  const others = sharing(people);
  const form = useSendForm<{ name: string; born: string; shareWith: string[] }>({
    defaultValues: { name: '', born: '', shareWith: [] },
    send: async ({ name, born, shareWith }) => {
      await add.mutateAsync({ name, born, ...(shareWith.length > 0 && { shareWith }) });
      onClose();
      toast(`${name.trim()} is added`);
    },
  });
  return (
    <FormDialog title="Add a child" form={form} submit="Add" onClose={onClose}>
      <Field
        label="Name"
        required
        data-focus-first
        maxLength={limits.name}
        autoComplete="off"
        hint="As the instructor should call them."
        {...form.field('name')}
      />
      <BirthDate {...form.field('born')} required />
      <p className="muted text-sm">
        Does somebody else look after {form.form.watch('name').trim() || 'this child'} here? Ask
        them to invite you.
      </p>
      {others.length > 0 && (
        <Choices legend="Share with" choices={others} field={form.form.register('shareWith')} />
      )}
    </FormDialog>
  );
}

export function BirthDate(props: Omit<Parameters<typeof Field>[0], 'label'>) {
  const { timeZone } = useSettings();
  return (
    <Field
      label="Birth date"
      type="date"
      min="1900-01-02"
      max={todayIn(timeZone)}
      className="min-h-11"
      hint="Classes are for certain ages."
      {...props}
    />
  );
}

function sharing(people: readonly Participant[]): { value: string; label: string }[] {
  const all = people
    .filter(({ self }) => !self)
    .flatMap(({ guardians }) => guardians.filter(({ you }) => !you));
  return [...new Map(all.map(({ id, name }) => [id, { value: id, label: name }])).values()];
}
