// A public list of cards in pages: the grid with its states, and links to the other pages.
import type { ReactNode } from 'react';
import { Grid } from '../ui/Grid.tsx';
import { PageLinks, rangeInWords } from '../ui/PageLinks.tsx';
import { inWords } from './total.ts';

export const perPage = 24;

/** The page that the URL asks for; the first when it makes no sense. */
export const pageOf = (search: URLSearchParams) =>
  Math.min(10_000, Math.max(1, Math.trunc(Number(search.get('page'))) || 1));

interface CardListProps<Item> {
  noun: string;
  items: readonly Item[] | undefined;
  query: {
    data: { total: number } | null | undefined;
    error: Error | null;
    refetch: () => Promise<unknown>;
  };
  keyOf: (item: Item) => string;
  page: number;
  to: (page: number) => string;
  skeleton: ReactNode;
  skeletons?: number;
  empty: ReactNode;
  low?: boolean;
  children: (item: Item, index: number) => ReactNode;
}

export function CardList<Item>({ noun, query, page, to, ...grid }: CardListProps<Item>) {
  const total = query.data?.total ?? 0;
  return (
    <>
      <Grid of={query} {...grid} />
      <PageLinks
        label={`Pages of ${noun}`}
        page={page}
        pages={Math.ceil(total / perPage)}
        range={rangeInWords(page, perPage, total, inWords(total), noun)}
        to={to}
      />
    </>
  );
}
