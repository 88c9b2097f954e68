// Which of the own children a class is for, by its ages.
import { useQuery } from '@tanstack/react-query';
import type { Class } from '../../contract/classes/classes.ts';
import { oldest } from '../../contract/people/ages.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { participants } from './participants.ts';

interface FitsProps {
  item: Pick<Class, 'minAge' | 'maxAge'>;
  withAge?: boolean;
}

export function Fits({ item: { minAge, maxAge }, withAge = false }: FitsProps) {
  const { state } = useSession();
  const { data: people = [] } = useQuery({ ...participants, enabled: state === 'in' });
  if (minAge === undefined && maxAge === undefined) return null;
  const names = people.flatMap(({ self, name, age }) =>
    !self && age !== null && age >= (minAge ?? 0) && age <= (maxAge ?? oldest)
      ? [`${name.split(' ')[0]}${withAge ? ` (${age})` : ''}`]
      : [],
  );
  if (names.length === 0) return null;
  return <span className="text-success font-medium">Fits {names.join(', ')}</span>;
}
