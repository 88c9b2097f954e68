// The grid of cards: 1 column on small screens, 3 from the small breakpoint (specification, section
// 9), and its three other states.
import { type ReactNode, Suspense } from 'react';
import { ErrorNote } from './States.tsx';

export const gridClass = 'grid grid-cols-1 gap-4 sm:grid-cols-3 lg:gap-6';

/** Further cards are laid out when they come near. React takes over one card after the other. */
const onFirstScreen = 6;
/** The height is a guess. The margin is for the shadow of a card and the ring of what has the focus. */
const whenNear =
  '[content-visibility:auto] [contain-intrinsic-block-size:auto_23rem] [overflow-clip-margin:1.5rem]';

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
          <li key={keyOf(item)} className={index < onFirstScreen ? undefined : whenNear}>
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
