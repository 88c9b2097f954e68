// The field in which an admin chooses another instructor: the beginning of a name, then the person.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listInstructors } from '../../contract/classes/instructors.ts';
import { limits } from '../../contract/platform/limits.ts';
import { query } from '../platform/api/query.ts';
import { Field, Select } from '../platform/ui/Field.tsx';

export function useInstructorChoice({ except }: { except: string }) {
  const [typed, setTyped] = useState('');
  const [to, setTo] = useState('');
  const search = typed.trim();
  const found = useQuery({
    ...query(listInstructors, { limit: limits.pageSize, ...(search && { search }) }),
    placeholderData: keepPreviousData,
  });
  const others = (found.data?.items ?? []).filter(({ id }) => id !== except);
  return {
    /** The id; empty until one of those listed is chosen. */
    chosen: others.some(({ id }) => id === to) ? to : '',
    problem: found.error?.message ?? null,
    fields: (
      <>
        <Field
          label="Find"
          hint="The beginning of a name."
          value={typed}
          maxLength={100}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Select
          label="New instructor"
          value={to}
          onChange={({ target }) => setTo(target.value)}
          options={[
            ['', 'Please choose'],
            ...others.map(({ id, name, email }) => [id, `${name} (${email})`] as const),
          ]}
        />
      </>
    ),
  };
}
