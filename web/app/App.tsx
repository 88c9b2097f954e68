// The app inside a router: the session, the routes, and the net under both. The router itself
// differs on the two sides (main.tsx in the browser, server.tsx on the server).
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense, useMemo } from 'react';
import { useRoutes } from 'react-router';
import { useSettings } from '../platform/api/query.ts';
import { knowSports } from '../platform/api/sports.ts';
import { SessionProvider, SessionStart } from '../people/session/SessionProvider.tsx';
import { SiteContext } from '../platform/ui/head.tsx';
import { writeIn } from '../platform/ui/locale.ts';
import { Messages } from '../platform/ui/Messages.tsx';
import { ProgressBar } from '../platform/ui/States.tsx';
import { LiveSettings } from './LiveSettings.tsx';
import { ScrollToTop } from './ScrollToTop.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
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
        <Messages />
      </SessionProvider>
    </SiteContext>
  );
}

function Screens() {
  return useRoutes(routes);
}
