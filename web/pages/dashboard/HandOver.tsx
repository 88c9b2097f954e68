// The dialog in which an admin gives a class to another instructor.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { type Class, getClass, handOverClass, listClasses } from '../../../contract/classes.ts';
import { listInstructors } from '../../../contract/instructors.ts';
import { limits } from '../../../contract/limits.ts';
import { listAudit } from '../../../contract/users.ts';
import { useSendForm } from '../../api/form.ts';
import { query, useCall } from '../../api/query.ts';
import { Field, Select } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { toast } from '../../ui/alert.ts';

export function HandOver({ row, onClose }: { row: Class; onClose: () => void }) {
  const handOver = useCall(handOverClass, {
    refreshes: [listClasses, getClass, listInstructors, listAudit],
  });
  const { form, props, field, problem, busy } = useSendForm({
    defaultValues: { search: '', to: '' },
    send: async ({ to }) => {
      await handOver.mutateAsync({ id: row._id, to });
      onClose();
      toast('Handed over');
    },
  });
  const [typed, to] = useWatch({ control: form.control, name: ['search', 'to'] });
  const search = typed.trim();
  const found = useQuery({
    ...query(listInstructors, {
      limit: limits.pageSize,
      ...(search && { search }),
    }),
    placeholderData: keepPreviousData,
  });
  const others = (found.data?.items ?? []).filter(({ id }) => id !== row.instructorId);
  const isListed = others.some(({ id }) => id === to);

  return (
    <FormDialog
      title={`Hand over ${row.name}`}
      form={{ props, problem: problem ?? found.error?.message ?? null, busy }}
      submit="Hand over"
      disabled={!isListed}
      onClose={onClose}
    >
      <p className="muted text-sm">
        {row.instructor} teaches it now. Students, payments and the status stay as they are.
      </p>
      <Field label="Find" hint="The beginning of a name." {...field('search')} maxLength={100} />
      <Select label="New instructor" {...field('to')}>
        <option value="">Please choose</option>
        {others.map(({ id, name, email }) => (
          <option key={id} value={id}>
            {`${name} (${email})`}
          </option>
        ))}
      </Select>
    </FormDialog>
  );
}
