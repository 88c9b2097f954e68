// The dialog in which an admin gives a class to another instructor.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Class, getClass, handOverClass, listClasses } from '../../../contract/classes.ts';
import { listInstructors } from '../../../contract/instructors.ts';
import { limits } from '../../../contract/limits.ts';
import { listAudit } from '../../../contract/users.ts';
import { query, useCall } from '../../api/query.ts';
import { Button } from '../../ui/Button.tsx';
import { Field, Select } from '../../ui/Field.tsx';
import { Modal } from '../../ui/Modal.tsx';
import { ErrorNote } from '../../ui/States.tsx';
import { toast } from '../../ui/alert.ts';

export function HandOver({ row, onClose }: { row: Class; onClose: () => void }) {
  const [search, setSearch] = useState('');
  const [to, setTo] = useState('');
  const found = useQuery({
    ...query(listInstructors, {
      limit: limits.pageSize,
      ...(search.trim() && { search: search.trim() }),
    }),
    placeholderData: keepPreviousData,
  });
  const others = (found.data?.items ?? []).filter(({ id }) => id !== row.instructorId);
  const chosen = others.some(({ id }) => id === to) ? to : '';
  const handOver = useCall(handOverClass, {
    refreshes: [listClasses, getClass, listInstructors, listAudit],
  });
  const submit = () =>
    handOver.mutate(
      { id: row._id, to: chosen },
      {
        onSuccess: () => {
          onClose();
          toast('Handed over');
        },
      },
    );

  return (
    <Modal title={`Hand over ${row.name}`} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <p className="muted text-sm">
          {row.instructor} teaches it now. Students, payments and the status stay as they are.
        </p>
        <Field
          label="Find"
          hint="The beginning of a name."
          value={search}
          maxLength={100}
          onChange={(event) => setSearch(event.target.value)}
        />
        <Select
          label="New instructor"
          value={chosen}
          onChange={(event) => setTo(event.target.value)}
        >
          <option value="">Please choose</option>
          {others.map(({ id, name, email }) => (
            <option key={id} value={id}>
              {`${name} (${email})`}
            </option>
          ))}
        </Select>
        {(handOver.error ?? found.error) && (
          <ErrorNote message={(handOver.error ?? found.error)?.message ?? 'Nothing was changed.'} />
        )}
        <div className="flex justify-end gap-2">
          <Button look="plain" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={handOver.isPending} disabled={chosen === ''}>
            Hand over
          </Button>
        </div>
      </form>
    </Modal>
  );
}
