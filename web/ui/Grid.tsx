// The grid of cards: 1 column on small screens, 3 from the small breakpoint (specification, section
// 9), and its three other states.
import { type ReactNode } from 'react';
import { ErrorNote } from './States.tsx';

export const gridClass = 'grid grid-cols-1 gap-4 sm:grid-cols-3 lg:gap-6';

interface Props<T> {
  of: { error: Error | null; refetch: () => Promise<unknown> };
  items: readonly T[] | undefined;
  keyOf: (item: T) => string;
  children: (item: T, index: number) => ReactNode;
  skeleton: ReactNode;
  skeletons?: number;
  empty: ReactNode;
}

export function Grid<T>({ of, items, keyOf, children, skeleton, skeletons = 6, empty }: Props<T>) {
  if (items) {
    if (items.length === 0) return empty;
    return (
      <ul className={gridClass}>
        {items.map((item, index) => (
          <li key={keyOf(item)}>{children(item, index)}</li>
        ))}
      </ul>
    );
  }
  if (of.error) return <ErrorNote message={of.error.message} onRetry={() => void of.refetch()} />;
  return (
    <div className={gridClass} aria-busy="true">
      <p className="sr-only">Loading</p>
      {Array.from({ length: skeletons }, (_, index) => (
        <div key={index}>{skeleton}</div>
      ))}
    </div>
  );
}
