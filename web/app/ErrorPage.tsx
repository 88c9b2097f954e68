// The page for every unknown address (specification, section 2): Go Home and Go Back, the latter to
// the dashboard.
import { usePageTitle } from '../platform/ui/head.tsx';
import { paths } from '../platform/paths.ts';
import { LinkButton } from '../platform/ui/Button.tsx';

export function ErrorPage() {
  usePageTitle('Not Found', { hidden: true, description: 'There is no page at this address.' });
  return (
    <main id="content" tabIndex={-1} className="measure out">
      <p aria-hidden="true" className="out-number">
        404
      </p>
      <h1 className="text-3xl sm:text-5xl">Out of bounds</h1>
      <p className="muted max-w-md text-lg">
        There is no page at this address. It may have moved, or the link has a typo.
      </p>
      <div className="flex flex-wrap justify-center gap-3">
        <LinkButton to={paths.home} size="large">
          Go Home
        </LinkButton>
        <LinkButton to={paths.dashboard.home} size="large" look="outline">
          Go Back
        </LinkButton>
      </div>
    </main>
  );
}
