// What the catalogue says when nothing was found: what was asked for, and which filter to drop.
import { useQueries } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Input } from '../../contract/platform/call.ts';
import { listClasses } from '../../contract/classes/classes.ts';
import { query } from '../platform/api/query.ts';
import { paths } from '../platform/paths.ts';
import { LinkButton } from '../platform/ui/Button.tsx';
import { EmptyState } from '../platform/ui/States.tsx';
import { inWords } from '../platform/lists/total.ts';
import { adviceFor, chipsOf, looser, type Names, nothingFound, withFilter } from './filters.ts';

interface NoClassesProps {
  asked: Input<typeof listClasses>;
  names: Names;
  search: URLSearchParams;
}

export function NoClasses({ asked, names, search }: NoClassesProps) {
  const chips = chipsOf(asked, names);
  const wordsOf = new Map<string, string>(chips.map(({ name, words }) => [name, words]));
  const fewer = looser(asked);
  const totals = useQueries({
    queries: fewer.map(({ input }) => ({ ...query(listClasses, input), staleTime: 30_000 })),
  });
  const offers = fewer.flatMap(({ name }, nth) => {
    const data = totals[nth]?.data;
    if (!data || data.total === 0 || data.alike) return [];
    const words = wordsOf.get(name) ?? (asked[name] === undefined ? '' : `“${asked[name]}”`);
    return [{ name, words, total: data.total }];
  });
  const filtered = chips.length > 0;
  if (!filtered && !asked.search)
    return (
      <EmptyState drawing="nothing-scheduled" title="Nothing is on sale yet">
        The classes are being prepared. Please come back soon.
      </EmptyState>
    );
  return (
    <EmptyState
      drawing="no-results"
      title={asked.search || !filtered ? 'No classes match' : nothingFound(asked, names)}
      action={
        <LinkButton to={paths.classes}>
          {asked.search || !filtered ? 'Show all classes' : 'Clear filters'}
        </LinkButton>
      }
    >
      {asked.search || !filtered ? 'Try another word or clear the filters.' : adviceFor(asked)}
      {offers.length > 0 && (
        <ul aria-label="With one filter less" className="mt-3 flex flex-wrap justify-center gap-2">
          {offers.map(({ name, words, total }) => (
            <li key={name} className="max-w-full">
              <Link
                to={withFilter(search, name)}
                className="btn btn-sm btn-outline border-base-content/30 text-base-content figures max-w-full rounded-full font-medium"
              >
                <span className="truncate">Without {words}:</span>{' '}
                {total === 1 ? '1 class' : `${inWords(total)} classes`}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </EmptyState>
  );
}
