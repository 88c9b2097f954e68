// What a page shows before, instead of and without its content.
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { keepFocus } from './focus.ts';
import { Note } from './Note.tsx';

export function Skeleton({ className = '' }: { className?: string }) {
  return <div aria-hidden="true" className={`skeleton ${className}`} />;
}

/** Announced when it appears; nothing for null. */
export function ErrorNote({
  message = 'This could not be loaded.',
  onRetry,
}: {
  message?: string | null | undefined;
  onRetry?: (() => void) | undefined;
}) {
  if (!message) return null;
  const retry = onRetry && (
    <Button
      look="outline"
      onClick={({ currentTarget }) => void keepFocus(currentTarget, async () => onRetry())}
    >
      Retry
    </Button>
  );
  return (
    <Note tone="bad" announced="at once" action={retry}>
      <p className="font-semibold">{message}</p>
    </Note>
  );
}

interface NotYetProps {
  of: { data: unknown; error: Error | null; refetch: () => Promise<unknown> };
  children: ReactNode;
}

/** Instead of what was not read yet: its outline, or why it could not be read. */
export function NotYet({ of: { data, error, refetch }, children }: NotYetProps) {
  if (data) return null;
  return error ? <ErrorNote message={error.message} onRetry={() => void refetch()} /> : children;
}

/** Instead of a page whose reader the server does not name. */
export const NoAnswer = ({ onRetry }: { onRetry: () => void }) => (
  <>
    <h1 className="mb-6 text-2xl">No answer</h1>
    <ErrorNote
      message="Our server does not answer at the moment. You are still signed in."
      onRetry={onRetry}
    />
  </>
);

/** `heading` is 'h1' where it is all that a page has to say. */
export function EmptyState({
  title,
  children,
  action,
  drawing,
  heading: Heading = 'h2',
}: {
  title: string;
  drawing?: 'empty-cart' | 'no-results' | 'nothing-scheduled';
  children?: ReactNode;
  action?: ReactNode;
  heading?: 'h1' | 'h2' | 'h3';
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-10 gap-y-4 py-6">
      <div className="flex max-w-prose min-w-0 flex-1 basis-72 flex-col items-start gap-3">
        <Heading className="text-2xl">{title}</Heading>
        {children && <div className="muted">{children}</div>}
        {action && <div className="mt-2">{action}</div>}
      </div>
      {drawing && (
        <picture className="contents">
          <source srcSet={`/media/empty/${drawing}.avif`} type="image/avif" className="hidden" />
          <img
            src={`/media/empty/${drawing}.webp`}
            alt=""
            width={240}
            height={180}
            loading="lazy"
            className="h-36 w-48 object-contain max-md:hidden"
          />
        </picture>
      )}
    </div>
  );
}

/** Until it is known whether the user may see a page. `heading` is 'h2' below a heading. */
export function ProgressBar({
  label = 'Loading',
  heading: Heading = 'h1',
}: {
  label?: string;
  heading?: 'h1' | 'h2';
}) {
  return (
    <div aria-busy="true" className="flex min-h-[50vh] items-center justify-center p-8">
      <Heading className="sr-only">{label}</Heading>
      <progress className="progress w-56" aria-label={label} />
    </div>
  );
}

/** The same inside the dashboard's frame. The server draws it too. */
export function PageSkeleton() {
  return (
    <div aria-busy="true">
      <progress
        className="progress fixed inset-x-0 top-0 z-50 h-1 w-full rounded-none"
        aria-label="Loading"
      />
      <noscript>
        <p className="mb-6 font-semibold">This part of the site needs JavaScript.</p>
      </noscript>
      <Skeleton className="h-8 w-56 max-w-full" />
      <Skeleton className="mt-3 h-4 w-80 max-w-full" />
      <Skeleton className="mt-8 h-28" />
      <Skeleton className="mt-4 h-28" />
      <Skeleton className="mt-4 h-28" />
    </div>
  );
}
