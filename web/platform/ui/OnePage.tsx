// The frame of a page about one thing of a list: the way back to the list, then the thing, or that
// it loads, cannot be read, or does not exist.
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { LinkButton } from './Button.tsx';
import { Icon } from './Icon.tsx';
import { PageHeading } from './PageHeading.tsx';
import { EmptyState, ErrorNote, Skeleton } from './States.tsx';

interface OnePageProps {
  list: { title: string; to: string };
  title: string;
  /** What is said when it does not exist: 'There is no such payment', and why. */
  missing: { title: string; why: string };
  error: { code: string; message: string } | null;
  onRetry: () => void;
  children: ReactNode;
}

export function OnePage({ list, title, missing, error, onRetry, children }: OnePageProps) {
  return (
    <>
      <nav aria-label="Breadcrumb" className="mb-4 text-sm">
        <Link to={list.to} className="link inline-flex min-h-11 items-center gap-1">
          <Icon name="left" className="size-4" /> {list.title}
        </Link>
      </nav>
      {children ??
        (error?.code === 'NOT_FOUND' || error?.code === 'INVALID_INPUT' ? (
          <EmptyState
            heading="h1"
            title={missing.title}
            drawing="no-results"
            action={<LinkButton to={list.to}>{list.title}</LinkButton>}
          >
            {missing.why}
          </EmptyState>
        ) : (
          <>
            <PageHeading title={title} />
            {error ? (
              <ErrorNote message={error.message} onRetry={onRetry} />
            ) : (
              <Skeleton className="h-96" />
            )}
          </>
        ))}
    </>
  );
}
