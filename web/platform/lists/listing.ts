// What a dashboard table shows, kept in the URL: ?q= (the header's search box), ?page= and ?sort=.
// A reload, a shared link and the back button then show the same rows.
import { useSearchParams } from 'react-router';

export const pageSize = 25;

export interface Listing<Sort extends string> {
  search: string;
  page: number;
  sort: Sort | undefined;
  /** What every paged call of the contract takes. */
  input: { page: number; limit: number; search?: string; sort?: Sort };
  searched: { search?: string };
  onPage: (page: number) => void;
  onSort: (sort: string) => void;
  /** Any other filter in the URL; a change leads to the first page. */
  filter: (name: string) => string | null;
  onFilter: (name: string, value: string) => void;
  onFilters: (values: Readonly<Record<string, string>>) => void;
}

/** `sorts` are the values the call understands, the first of them its default. */
export function useListing<const Sort extends string = never>(
  sorts: readonly Sort[] = [],
): Listing<Sort> {
  const [params, setParams] = useSearchParams();
  const search = searchOf(params);
  const page = Math.min(Math.max(1, Math.trunc(Number(params.get('page')) || 1)), 100_000);
  const sort = sorts.find((known) => known === params.get('sort')) ?? sorts[0];

  const changeAll = (values: Readonly<Record<string, string>>, firstPage: boolean) =>
    setParams((current) => {
      const next = new URLSearchParams(current);
      for (const [name, value] of Object.entries(values)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
      if (firstPage) next.delete('page');
      return next;
    });
  const change = (name: string, value: string, firstPage: boolean) =>
    changeAll({ [name]: value }, firstPage);

  const searched = { ...(search && { search }) };
  return {
    search,
    searched,
    page,
    sort,
    input: { page, limit: pageSize, ...searched, ...(sort && { sort }) },
    onPage: (to) => {
      change('page', to === 1 ? '' : String(to), false);
      window.scrollTo({ top: 0 });
    },
    onSort: (by) => change('sort', by, true),
    filter: (name) => params.get(name),
    onFilter: (name, value) => change(name, value, true),
    onFilters: (values) => changeAll(values, true),
  };
}

/** The searched words; the API takes 100 characters. */
export const searchOf = (params: URLSearchParams): string =>
  (params.get('q') ?? '').trim().slice(0, 100);

/** For the few lists that come whole: does a row have the searched words in it? */
export function matches(search: string, ...texts: readonly string[]): boolean {
  const all = texts.join(' ').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
