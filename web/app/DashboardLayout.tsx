// The dashboard's frame: a sidebar with the role's menu (on a phone a drawer), a header with the
// search box and the theme toggle. The server draws it without data (server.tsx).
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { preload } from 'react-dom';
import { Link, Outlet, useLocation, useSearchParams } from 'react-router';
import { searchWith } from '../classes/search.ts';
import { useSettings } from '../platform/api/query.ts';
import { paths } from '../platform/paths.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { ConfirmFirst } from '../people/confirm/ConfirmFirst.tsx';
import { Icon } from '../platform/ui/Icon.tsx';
import { Logo } from '../platform/ui/Logo.tsx';
import { partOnDemand } from '../platform/ui/onDemand.tsx';
import { NoAnswer, PageSkeleton } from '../platform/ui/States.tsx';
import { ThemeToggle } from '../platform/ui/ThemeToggle.tsx';
import { useHydrated } from '../platform/ui/hydrated.ts';
import { searchOn } from './menu.ts';
import { MenuSheet } from './MenuSheet.tsx';
import { Sidebar } from './Sidebar.tsx';
import { TabBar } from './TabBar.tsx';

/** Header and content: one left edge at every width. */
const measure = 'mx-auto w-full max-w-[84rem] px-4 sm:px-6 2xl:px-8';

/** It is the page, or it is being taken. */
const offersElsewhere = new Set<string>([paths.dashboard.waiting, paths.dashboard.payment]);
const Offers = partOnDemand(
  () => import('../checkout/waiting/Offers.tsx').then((m) => m.Offers),
  null,
);

const sessionPreload = { as: 'fetch', crossOrigin: 'anonymous' } as const;

export function DashboardLayout() {
  // In the served frame: who is signed in is asked while the scripts load.
  if (import.meta.env.SSR) preload('/api/auth/get-session', sessionPreload);
  const { state, retryRole } = useSession();
  const [drawer, setDrawer] = useState(false);
  const { pathname } = useLocation();
  const close = () => setDrawer(false);
  // The roll call finds out itself who it is for: without a network, from what the phone keeps.
  const waits = !(useHydrated() && pathname.startsWith(paths.dashboard.rollCall));
  const instead =
    waits &&
    state === 'loading' &&
    (retryRole ? <NoAnswer onRetry={retryRole} /> : <PageSkeleton />);
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[17rem_minmax(0,1fr)] print:block">
      <a
        href="#content"
        className="btn btn-neutral sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
      >
        Skip to content
      </a>
      <aside className="sticky top-0 hidden h-dvh border-r border-base-300 bg-base-100 lg:block print:hidden">
        <div className="flex h-full flex-col pt-4">
          <Brand className="mr-2 ml-3 pl-3 py-1" />
          <Sidebar onGo={close} />
        </div>
      </aside>
      <ConfirmFirst />
      {drawer && <MenuSheet onClose={close} />}
      <div className="flex min-w-0 flex-col">
        <header className="sticky top-0 z-20 border-b border-base-300 bg-base-100 backdrop-blur print:hidden">
          <div className={`flex items-center gap-2 py-2.5 ${measure}`}>
            <button
              type="button"
              className="btn btn-ghost btn-square menu-button -ml-2 lg:hidden"
              aria-label="Open the menu"
              onClick={() => setDrawer(true)}
            >
              <Icon name="menu" className="size-6" />
            </button>
            {!searchOn(pathname) && <Brand className="flex-1 text-sm lg:hidden" />}
            <SearchBox key={pathname} hint={searchOn(pathname)} />
            <div className="-mr-2 ml-auto flex items-center">
              <ThemeToggle />
            </div>
          </div>
        </header>
        <main
          id="content"
          tabIndex={-1}
          className={`flex-1 py-6 outline-none sm:py-8 print:p-0 ${measure}`}
        >
          {instead || (
            <Suspense fallback={<PageSkeleton />}>
              {state === 'in' && !offersElsewhere.has(pathname) && <Offers key={pathname} />}
              <Outlet />
            </Suspense>
          )}
        </main>
      </div>
      <TabBar />
    </div>
  );
}

function Brand({ className }: { className: string }) {
  const { brand, logo } = useSettings();
  return (
    <Link
      to={paths.home}
      className={`flex min-w-0 items-center gap-2.5 rounded-field leading-tight font-semibold ${className}`}
    >
      <Logo src={logo} />
      <span className="line-clamp-2 wrap-anywhere">{brand}</span>
    </Link>
  );
}

const pause = 250;

/** Searches when typing pauses. Without a `hint` the page has nothing to search. */
function SearchBox({ hint }: { hint: string | undefined }) {
  const [params, setParams] = useSearchParams();
  const inUrl = params.get('q') ?? '';
  const box = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const search = () => {
    clearTimeout(timer.current);
    const typed = box.current?.value.trim() ?? '';
    if (typed === inUrl) return;
    const found = (now: URLSearchParams) => searchWith(searchWith(now, 'q', typed), 'page');
    setParams(found, { replace: true });
  };
  const typedEarly = useEffectEvent(search);
  useEffect(() => {
    // The server draws the box, so it may have been typed in before the scripts started.
    typedEarly();
    // A search that is still due would lead back to this page.
    return () => clearTimeout(timer.current);
  }, []);

  return (
    <search className={hint ? 'w-full max-w-md min-w-0' : 'w-11 shrink-0 lg:w-40'}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search();
        }}
      >
        <label className="relative block">
          <span className="sr-only">Search</span>
          <Icon
            name="search"
            className={`pointer-events-none absolute top-1/2 z-10 size-4 -translate-y-1/2 ${hint ? 'left-3.5' : 'left-3.5 opacity-50'}`}
            stroke={2.5}
          />
          <input
            type="search"
            className={`input w-full placeholder:opacity-100! ${hint ? 'pl-10' : 'px-0'}`}
            placeholder={hint ?? ''}
            disabled={!hint}
            maxLength={100}
            ref={box}
            defaultValue={inUrl}
            onChange={() => {
              clearTimeout(timer.current);
              timer.current = setTimeout(search, pause);
            }}
          />
        </label>
      </form>
    </search>
  );
}
