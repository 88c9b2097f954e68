// /classes: every approved class, searched, filtered and sorted by the URL's parameters. Without
// JavaScript the form still works.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { Input } from '../../contract/call.ts';
import { type Class, listClasses, sports } from '../../contract/classes.ts';
import { listInstructors } from '../../contract/instructors.ts';
import { query, useSettings } from '../api/query.ts';
import { reading, type Reads } from '../api/reads.ts';
import { ClassCard, ClassCardSkeleton } from '../features/classes/ClassCard.tsx';
import { CardList, pageOf, perPage } from '../features/lists/CardList.tsx';
import { paths } from '../paths.ts';
import { LinkButton } from '../ui/Button.tsx';
import { usePageTitle } from '../ui/head.tsx';
import { EmptyState } from '../ui/States.tsx';
import { inWords } from '../features/lists/total.ts';
import { Filters, sorts } from './Filters.tsx';

const allInstructors = { sort: 'name', limit: 100 } as const;

export const reads: Reads = ({ search }) => [
  reading(listClasses, inputOf(search)),
  reading(listInstructors, allInstructors),
];

const isAmount = (value: string) => /^\d{1,6}(\.\d{1,2})?$/.test(value);

/**
 * What the URL asks for. Whatever in it makes no sense is left out, not refused: a mistyped link
 * still shows classes.
 */
function inputOf(search: URLSearchParams): Input<typeof listClasses> {
  const read = (name: string, fits: (value: string) => boolean) => {
    const value = search.get(name)?.trim() ?? '';
    return value !== '' && fits(value) ? { [name]: value } : {};
  };
  return {
    status: 'approved',
    limit: perPage,
    page: pageOf(search),
    ...read('search', (value) => value.length <= 100),
    ...read('sport', (value) => sports.some((sport) => sport === value)),
    ...read('instructor', (value) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value)),
    ...read('minPrice', isAmount),
    ...read('maxPrice', isAmount),
    ...read('free', (value) => value === 'true'),
    ...read('sort', (value) => sorts.some(([sort]) => sort === value)),
  };
}

export function Classes() {
  const { brand, publicUrl } = useSettings();
  const [search] = useSearchParams();
  const input = inputOf(search);
  const page = pageOf(search);
  const found = useQuery({
    ...query(listClasses, input),
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  });
  const instructors = useQuery({ ...query(listInstructors, allInstructors), staleTime: 60_000 });
  // Most are on the list; of a crowd, the list has only the first.
  const teacher =
    instructors.data?.items.find(({ id }) => id === input.instructor)?.name ??
    found.data?.result.find(({ instructorId }) => instructorId === input.instructor)?.instructor;
  const to = (number: number) => {
    const next = new URLSearchParams(search);
    if (number === 1) next.delete('page');
    else next.set('page', String(number));
    return next.size > 0 ? `${paths.classes}?${next}` : paths.classes;
  };
  usePageTitle('Classes', {
    description: `All summer classes of ${brand}, with ages, times, prices and free seats.`,
    // Every mixture of filters is the same catalogue to a search engine; its pages are not.
    canonical: page > 1 ? `${paths.classes}?page=${page}` : paths.classes,
    data: found.data && listData(found.data.result, publicUrl),
  });
  const total = found.data?.total ?? 0;
  return (
    <div className="measure py-6 sm:py-10">
      <h1 className="text-3xl sm:text-5xl">Classes</h1>
      <p className="muted mt-1 mb-4 max-w-prose sm:mt-3 sm:mb-6 sm:text-lg">
        {teacher
          ? `What ${teacher} teaches this summer.`
          : 'Find a class they will love. Seats are up to date.'}
      </p>
      <Filters search={search} instructors={instructors.data?.items ?? []} teacher={teacher} />
      <h2
        aria-live="polite"
        className={`figures mt-4 mb-3 font-sans text-base sm:mt-6 sm:mb-4 ${found.isPlaceholderData ? 'opacity-60' : ''}`}
      >
        {found.data ? (total === 1 ? '1 class' : `${inWords(total)} classes`) : 'Loading classes'}
      </h2>
      <CardList
        noun="classes"
        query={found}
        page={page}
        to={to}
        items={found.data?.result}
        keyOf={({ _id }) => _id}
        skeleton={<ClassCardSkeleton />}
        skeletons={9}
        empty={
          <EmptyState
            drawing="no-results"
            title="No classes match"
            action={<LinkButton to={paths.classes}>Show all classes</LinkButton>}
          >
            Try another word or clear the filters.
          </EmptyState>
        }
      >
        {(item, index) => <ClassCard item={item} eager={index < 3} />}
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
