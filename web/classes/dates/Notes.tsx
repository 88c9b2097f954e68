// What is said about a date: clashes in red, holidays and small places as warnings.
import { Link } from 'react-router';
import { Icon } from '../../platform/ui/Icon.tsx';
import type { Note } from './notes.ts';

interface NotesProps {
  notes: readonly Note[];
  className?: string;
  /** Where the other class can be looked at. */
  linkTo?: (classId: string) => string;
}

export function Notes({ notes, className = '', linkTo }: NotesProps) {
  if (notes.length === 0) return null;
  return (
    <ul className={`flex flex-col gap-1 text-sm font-medium ${className}`}>
      {notes.map(({ kind, words, with: other }) => (
        <li
          key={`${words} ${other?.classId ?? ''}`}
          className={`flex items-start gap-2 ${kind === 'clash' ? 'text-error' : 'text-warning'}`}
        >
          <Icon name={kind === 'clash' ? 'alert' : 'info'} className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 wrap-anywhere">
            {words}{' '}
            {other &&
              (linkTo ? (
                <Link to={linkTo(other.classId)} className="link">
                  {other.name}
                </Link>
              ) : (
                other.name
              ))}
          </span>
        </li>
      ))}
    </ul>
  );
}
