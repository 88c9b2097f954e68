// The grid of cards: 1 column on small screens, 3 from the small breakpoint (specification, section
// 9), and its three other states.
import { type ReactNode, Suspense } from 'react';
import { ErrorNote } from './States.tsx';

const gridClass = 'grid grid-cols-1 gap-4 sm:grid-cols-3 lg:gap-6';

interface Props<T> {
  of: { error: Error | null; refetch: () => Promise<unknown> };
  items: readonly T[] | undefined;
  keyOf: (item: T) => string;
  children: (item: T, index: number) => ReactNode;
  skeleton: ReactNode;
  skeletons?: number;
  empty: ReactNode;
  /** Cards without a picture of full width. */
  low?: boolean;
}

export function Grid<T>({
  of,
  items,
  keyOf,
  children,
  skeleton,
  skeletons = 6,
  empty,
  low,
}: Props<T>) {
  if (items) {
    if (items.length === 0) return empty;
    return (
      <ul className={`${gridClass} ${low ? 'cards cards-low' : 'cards'}`}>
        {/* Each on its own: React takes over one card after the other. */}
        {items.map((item, index) => (
          <li key={keyOf(item)}>
            <Suspense>{children(item, index)}</Suspense>
          </li>
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
