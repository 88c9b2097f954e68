// Chooses who teaches one meeting: the instructor of the class, or a substitute.
import { useQuery } from '@tanstack/react-query';
import type { KeyboardEvent } from 'react';
import { listInstructors } from '../../../contract/classes/instructors.ts';
import { limits } from '../../../contract/platform/limits.ts';
import { query } from '../../platform/api/query.ts';
import { Select } from '../../platform/ui/Field.tsx';
import type { Teacher } from './rows.ts';

interface TeacherSelectProps {
  teacher: Teacher;
  onChoose: (teacher: Teacher) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

export function TeacherSelect({ teacher, onChoose, onKeyDown }: TeacherSelectProps) {
  const found = useQuery(query(listInstructors, { limit: limits.pageSize }));
  const others = (found.data?.items ?? []).filter(({ id }) => id !== teacher.id);
  const offered: Teacher[] = [teacher, ...others];
  return (
    <Select
      label="Taught by"
      className="min-h-11"
      value={teacher.id}
      onChange={({ target }) => onChoose(offered.find(({ id }) => id === target.value) ?? teacher)}
      onKeyDown={onKeyDown}
    >
      {offered.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}
