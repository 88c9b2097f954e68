// The app inside a router: the session, the routes, and the net under both. The router itself
// differs on the two sides (main.tsx in the browser, server.tsx on the server).
import { type QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { Component, type ReactNode, Suspense, useEffect, useMemo, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType, useRoutes } from 'react-router';
import { settings } from '../../contract/platform/settings.ts';
import { useSettings } from '../platform/api/query.ts';
import { knowSports } from '../platform/api/sports.ts';
import { SessionProvider, SessionStart } from '../people/session/SessionProvider.tsx';
import { Button } from '../platform/ui/Button.tsx';
import { SiteContext } from '../platform/ui/head.tsx';
import { writeIn } from '../platform/ui/locale.ts';
import { Messages } from '../platform/ui/Messages.tsx';
import { EmptyState, ProgressBar } from '../platform/ui/States.tsx';
import { Connection } from './Connection.tsx';
import { routes } from './router.tsx';

export function App({ client }: { client: QueryClient }) {
  return (
    <QueryClientProvider client={client}>
      <Site />
    </QueryClientProvider>
  );
}

function Site() {
  const { brand, publicUrl, currency, locale, timeZone, sports } = useSettings();
  writeIn({ currency, locale, timeZone });
  knowSports(sports);
  const site = useMemo(() => ({ brand, publicUrl }), [brand, publicUrl]);
  return (
    <SiteContext value={site}>
      <SessionProvider>
        <ScrollToTop />
        <LiveSettings />
        <ErrorBoundary>
          <Suspense fallback={<ProgressBar />}>
            <SessionStart />
            <Screens />
          </Suspense>
        </ErrorBoundary>
        <Connection />
        <Messages />
      </SessionProvider>
    </SiteContext>
  );
}

function Screens() {
  return useRoutes(routes);
}

/**
 * After a navigation: scrolls to the top or to the anchor, and moves the focus to the new content or its
 * first field, as a browser does when it loads a page. Going back is left to the browser.
 */
function ScrollToTop() {
  const { pathname, hash } = useLocation();
  const kind = useNavigationType();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (kind === NavigationType.Pop) return;
    const target = hash ? document.getElementById(hash.slice(1)) : null;
    if (target) target.scrollIntoView();
    else scrollTo(0, 0);
    const content = document.getElementById('content');
    const first = content?.querySelector<HTMLElement>('[data-focus-first]') ?? content;
    first?.focus({ preventScroll: true });
  }, [pathname, hash, kind]);
  return null;
}

/** Settings are read again at every navigation, and colours that have changed are adopted. */
function LiveSettings() {
  const client = useQueryClient();
  const { pathname } = useLocation();
  const { primary, accent } = useSettings();
  const shown = useRef({ pathname, primary, accent });
  useEffect(() => {
    if (shown.current.pathname === pathname) return;
    shown.current.pathname = pathname;
    void client.invalidateQueries({ queryKey: [settings.id] });
  }, [client, pathname]);
  useEffect(() => {
    const { current } = shown;
    if (current.primary === primary && current.accent === accent) return;
    [current.primary, current.accent] = [primary, accent];
    void import('../platform/api/colours.ts').then(({ adoptColours }) =>
      adoptColours({ primary, accent }),
    );
  }, [primary, accent]);
  return null;
}

/** Catches a bug in rendering, or a chunk that a new version has replaced. */
class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <main className="measure py-24" role="alert">
        <EmptyState
          heading="h1"
          drawing="no-results"
          title="Something went wrong on this page"
          action={<Button onClick={() => location.reload()}>Load it again</Button>}
        >
          It may be a short break of the connection, or a new version of the site.
        </EmptyState>
      </main>
    );
  }
}
