// The filters in use, each as a link that takes it away.
import { Link } from 'react-router';
import { Icon } from '../platform/ui/Icon.tsx';
import { type Chip, withFilter, withoutFilters } from './filters.ts';

interface FilterChipsProps {
  chips: readonly Chip[];
  search: URLSearchParams;
  /** The link is gone then: the focus goes elsewhere. */
  onRemove: () => void;
}

export function FilterChips({ chips, search, onRemove }: FilterChipsProps) {
  if (chips.length === 0) return null;
  return (
    <ul aria-label="Filters in use" className="flex flex-wrap items-center gap-2">
      {chips.map(({ name, words }) => (
        <li key={name} className="max-w-full">
          <Link
            to={withFilter(search, name)}
            replace
            className="btn btn-sm btn-outline border-base-content/30 max-w-full rounded-full font-medium"
            onClick={onRemove}
          >
            <span className="truncate">{words}</span> <Icon name="x" className="size-4 shrink-0" />
            <span className="sr-only">: remove this filter</span>
          </Link>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <Link
            to={withoutFilters(search)}
            replace
            className="btn btn-sm btn-ghost font-medium"
            onClick={onRemove}
          >
            Clear filters
          </Link>
        </li>
      )}
    </ul>
  );
}
