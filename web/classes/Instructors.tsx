// /instructors: all instructors.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { listInstructors } from '../../contract/classes/instructors.ts';
import { query, useSettings } from '../platform/api/query.ts';
import { reading, type Reads } from '../platform/api/reads.ts';
import { InstructorCard, InstructorCardSkeleton } from './InstructorCard.tsx';
import { CardList, pageOf, perPage } from '../platform/lists/CardList.tsx';
import { paths } from '../platform/paths.ts';
import { usePageTitle } from '../platform/ui/head.tsx';
import { EmptyState } from '../platform/ui/States.tsx';

const to = (page: number) => (page === 1 ? paths.instructors : `${paths.instructors}?page=${page}`);
const inputOf = (search: URLSearchParams) =>
  ({ sort: 'popular', limit: perPage, page: pageOf(search) }) as const;

export const reads: Reads = ({ search }) => [reading(listInstructors, inputOf(search))];

export function Instructors() {
  const { brand } = useSettings();
  const [search] = useSearchParams();
  const page = pageOf(search);
  usePageTitle('Instructors', {
    description: `Who teaches at ${brand}: every coach with their classes.`,
    canonical: to(page),
  });
  const found = useQuery({
    ...query(listInstructors, inputOf(search)),
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  });
  return (
    <div className="measure py-12 sm:py-16">
      <h1 className="text-3xl sm:text-5xl">Instructors</h1>
      <p className="muted mt-3 mb-10 text-lg">
        The people your children will learn from. Write to them, or look at what they teach.
      </p>
      {/* For the outline of the page: cards are headings of the third level everywhere. */}
      <h2 className="sr-only">All instructors</h2>
      <CardList
        noun="instructors"
        low
        query={found}
        page={page}
        to={to}
        items={found.data?.items}
        keyOf={({ id }) => id}
        skeleton={<InstructorCardSkeleton />}
        empty={<EmptyState title="No instructors yet">Our team is being put together.</EmptyState>}
      >
        {(person) => <InstructorCard person={person} />}
      </CardList>
    </div>
  );
}
