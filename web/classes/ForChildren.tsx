// "For Leo (10)": the age of a child as a filter, for who is signed in and has children.
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../people/session/SessionProvider.tsx';
import { participants } from './participants.ts';

interface ForChildrenProps {
  age: number | string | undefined;
  onChoose: (age: string) => void;
}

export function ForChildren({ age: chosen = '', onChoose }: ForChildrenProps) {
  const { state } = useSession();
  const { data: people = [] } = useQuery({ ...participants, enabled: state === 'in' });
  return people.map(({ _id, self, name, age }) => {
    if (self || age === null) return null;
    const on = String(chosen) === String(age);
    return (
      <li key={_id}>
        <button
          type="button"
          aria-pressed={on}
          onClick={() => onChoose(on ? '' : String(age))}
          className={`chip ${on ? 'chip-on' : ''}`}
        >
          For {name.split(' ')[0]} ({age})
        </button>
      </li>
    );
  });
}
