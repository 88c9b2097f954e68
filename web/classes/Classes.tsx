// /classes: every approved class, filtered by the URL's parameters. Works without JavaScript.
import { keepPreviousData, useQuery, useQueries } from '@tanstack/react-query';
import { useSearchParams, Link } from 'react-router';
import type { Input } from '../../contract/platform/call.ts';
import { type Class, listClasses } from '../../contract/classes/classes.ts';
import { useLiveSeats } from './live.ts';
import { query, useSettings } from '../platform/api/query.ts';
import { reading, type Reads } from '../platform/api/reads.ts';
import { ListOrCalendar } from './calendar/ListOrCalendar.tsx';
import { ClassCard, ClassCardSkeleton } from './ClassCard.tsx';
import {
  chipsOf,
  filtersIn,
  looser,
  adviceFor,
  type Names,
  nothingFound,
  withFilter,
} from './filters.ts';
import { CardList, pageOf, perPage } from '../platform/lists/CardList.tsx';
import { paths } from '../platform/paths.ts';
import { usePageTitle } from '../platform/ui/head.tsx';
import { inWords } from '../platform/lists/total.ts';
import { Filters } from './Filters.tsx';
import { LinkButton } from '../platform/ui/Button.tsx';
import { EmptyState } from '../platform/ui/States.tsx';
import { readOffered, useOffered } from './offered.ts';
import { addressOf, searchWith } from './search.ts';

export const reads: Reads = ({ search }) => {
  const input = inputOf(search);
  return [
    reading(listClasses, input, ({ total }) =>
      total === 0 ? looser(input).map((each) => reading(listClasses, each.input)) : [],
    ),
    ...readOffered,
  ];
};

const inputOf = (search: URLSearchParams): Input<typeof listClasses> => ({
  status: 'approved',
  limit: perPage,
  page: pageOf(search),
  ...filtersIn(search),
});

export function Classes() {
  useLiveSeats();
  const { brand, publicUrl } = useSettings();
  const [search] = useSearchParams();
  const input = inputOf(search);
  const page = pageOf(search);
  const found = useQuery({
    ...query(listClasses, input),
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  });
  // Most are on the list; of a crowd, the list has only the first.
  const listed = found.data?.result.find(({ instructorId }) => instructorId === input.instructor);
  const { offered, names } = useOffered(input, listed?.instructor);
  const { teacher } = names;
  const to = (number: number) =>
    addressOf(paths.classes, searchWith(search, 'page', number === 1 ? null : String(number)));
  usePageTitle('Classes', {
    description: `All classes of ${brand}, with ages, times, prices and free seats.`,
    // Every mixture of filters is the same catalogue to a search engine; its pages are not.
    canonical: page > 1 ? `${paths.classes}?page=${page}` : paths.classes,
    data: found.data && listData(found.data.result, publicUrl),
  });
  const total = found.data?.total ?? 0;
  return (
    <div className="measure py-6 sm:py-10">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h1 className="text-3xl sm:text-5xl">Classes</h1>
        <ListOrCalendar here="list" search={search} />
      </div>
      <p className="muted mt-1 mb-4 max-w-prose">
        {teacher ? `What ${teacher} teaches.` : 'Seats are up to date.'}{' '}
        <Link to={paths.dashboard.familyPlan} className="text-base-content underline">
          Plan a week
        </Link>
      </p>
      <Filters
        search={search}
        asked={input}
        chips={chipsOf(input, names)}
        total={found.data?.total}
        {...offered}
      >
        <h2
          aria-live="polite"
          className={`figures font-sans text-base ${found.isPlaceholderData ? 'opacity-60' : ''}`}
        >
          {found.data?.alike
            ? `Nothing is called “${input.search}”. Classes with similar names:`
            : found.data
              ? total === 1
                ? '1 class'
                : `${inWords(total)} classes`
              : 'Loading classes'}
        </h2>
      </Filters>
      <div className="mt-3 sm:mt-4" />
      <CardList
        noun="classes"
        query={found}
        page={page}
        to={to}
        items={found.data?.result}
        keyOf={({ _id }) => _id}
        skeleton={<ClassCardSkeleton />}
        skeletons={9}
        empty={<NoClasses asked={input} names={names} search={search} />}
      >
        {(item, index) => <ClassCard item={item} eager={index === 0} />}
      </CardList>
    </div>
  );
}

const listData = (classes: readonly Class[], publicUrl: string) => ({
  '@context': 'https://schema.org',
  '@type': 'ItemList',
  itemListElement: classes.map(({ _id, name }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    url: `${publicUrl}${paths.class(_id)}`,
  })),
});

interface NoClassesProps {
  asked: Input<typeof listClasses>;
  names: Names;
  search: URLSearchParams;
}

function NoClasses({ asked, names, search }: NoClassesProps) {
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
        <ul aria-label="With one filter less" className="mt-3 flex flex-wrap gap-2">
          {offers.map(({ name, words, total }) => (
            <li key={name} className="max-w-full">
              <Link to={withFilter(search, name)} className="chip figures text-base-content">
                Without {words}: {total === 1 ? '1 class' : `${inWords(total)} classes`}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </EmptyState>
  );
}
