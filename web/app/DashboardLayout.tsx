// The dashboard's frame: a sidebar with the role's menu (on a phone a drawer), a header with the
// search box and the theme toggle.
// Not for: what the search finds; it goes to the URL as ?q= and the open page's table reads it
// there (features/listing.ts).
import { useQuery } from '@tanstack/react-query';
import { Suspense, useId, useRef, useState } from 'react';
import { Link, Outlet, useLocation, useSearchParams } from 'react-router';
import { listCart } from '../../contract/cart.ts';
import { query, useSettings } from '../api/query.ts';
import { paths } from '../paths.ts';
import { useSession } from '../session/SessionProvider.tsx';
import { signOut } from '../session/signIn.ts';
import { Button } from '../ui/Button.tsx';
import { Modal } from '../ui/Modal.tsx';
import { Avatar } from '../ui/Picture.tsx';
import { ProgressBar, Skeleton } from '../ui/States.tsx';
import { ThemeToggle } from '../ui/ThemeToggle.tsx';
import { Logo } from '../ui/Logo.tsx';
import { menuOf, others, searchOn } from './menu.ts';
import type { Entry } from './menu.ts';
import { Icon } from '../ui/Icon.tsx';

export function DashboardLayout() {
  const [drawer, setDrawer] = useState(false);
  const { pathname } = useLocation();
  const close = () => setDrawer(false);
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[17rem_minmax(0,1fr)] print:block">
      <a
        href="#content"
        className="btn btn-primary sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
      >
        Skip to content
      </a>
      <aside className="sticky top-0 hidden h-dvh overflow-y-auto border-r border-base-300 bg-base-100 lg:block print:hidden">
        <div className="flex min-h-full flex-col pt-5">
          <Brand />
          <Sidebar onGo={close} />
        </div>
      </aside>
      {drawer && (
        <Modal title="Menu" shape="side" onClose={close}>
          <Sidebar onGo={close} />
        </Modal>
      )}
      <div className="flex min-w-0 flex-col">
        <header className="sticky top-0 z-20 flex items-center gap-2 border-b border-base-300 bg-base-100/95 px-4 py-2.5 backdrop-blur sm:px-6 print:hidden">
          <button
            type="button"
            className="btn btn-ghost btn-square lg:hidden"
            aria-label="Open the menu"
            onClick={() => setDrawer(true)}
          >
            <Icon name="menu" className="size-6" />
          </button>
          <SearchBox key={pathname} pathname={pathname} />
          <div className="ml-auto flex items-center">
            <ThemeToggle />
          </div>
        </header>
        <main
          id="content"
          tabIndex={-1}
          className="mx-auto w-full max-w-6xl flex-1 px-4 py-6 outline-none sm:px-6 sm:py-8 print:p-0"
        >
          <Suspense fallback={<ProgressBar />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
    </div>
  );
}

function Brand() {
  const { brand } = useSettings();
  return (
    <Link
      to={paths.home}
      className="mx-3 flex items-center gap-3 rounded-field px-3 py-1 font-bold"
    >
      <Logo />
      {brand}
    </Link>
  );
}

const pause = 250;

/** Typing pauses before it searches, so that a fast typist asks the server once. */
function SearchBox({ pathname }: { pathname: string }) {
  const [params, setParams] = useSearchParams();
  const [words, setWords] = useState(params.get('q') ?? '');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hint = searchOn(pathname);

  const search = (typed: string) => {
    clearTimeout(timer.current);
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        if (typed.trim()) next.set('q', typed.trim());
        else next.delete('q');
        next.delete('page');
        return next;
      },
      { replace: true },
    );
  };

  return (
    <search className="w-full max-w-md min-w-0">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search(words);
        }}
      >
        <label className="relative block">
          <span className="sr-only">Search</span>
          <Icon
            name="search"
            className="pointer-events-none absolute top-1/2 left-3.5 z-10 size-4 -translate-y-1/2"
            stroke={2.5}
          />
          <input
            type="search"
            className="input w-full pl-10 placeholder:opacity-100!"
            placeholder={hint ?? 'Nothing to search here'}
            disabled={!hint}
            maxLength={100}
            value={words}
            onChange={(event) => {
              const typed = event.target.value;
              setWords(typed);
              clearTimeout(timer.current);
              timer.current = setTimeout(() => search(typed), pause);
            }}
          />
        </label>
      </form>
    </search>
  );
}

function Sidebar({ onGo }: { onGo: () => void }) {
  const { state, user, role, roleLoading } = useSession();
  const { title, entries } = menuOf(role);
  const cart = useQuery({
    ...query(listCart, { email: user?.email ?? '' }),
    enabled: state === 'in' && role === 'student',
  });

  return (
    <>
      <nav aria-label="Dashboard" className="flex flex-1 flex-col gap-6 px-3 py-5">
        {roleLoading ? (
          <div className="flex flex-col gap-3 px-3" aria-busy="true">
            <Skeleton className="h-4 w-16" />
            <Skeleton className="h-8" />
            <Skeleton className="h-8" />
            <Skeleton className="h-8" />
          </div>
        ) : (
          <Section
            title={title}
            entries={entries}
            onGo={onGo}
            counts={{ [paths.dashboard.myCart]: cart.data?.length ?? 0 }}
          />
        )}
        <Section title="Others" entries={others} onGo={onGo} />
      </nav>
      {user && (
        <div className="flex items-center gap-3 border-t border-base-300 px-5 py-4">
          <Avatar person={user} />
          <div className="min-w-0 flex-1">
            <p className="truncate text-sm font-semibold">{user.name}</p>
            <p className="muted truncate text-xs">{user.email}</p>
          </div>
          <Button look="plain" size="small" onClick={() => void signOut()}>
            Logout
          </Button>
        </div>
      )}
    </>
  );
}

interface SectionProps {
  title: string;
  entries: readonly Entry[];
  onGo: () => void;
  counts?: Record<string, number>;
}

function Section({ title, entries, onGo, counts }: SectionProps) {
  const heading = useId();
  const { pathname } = useLocation();
  return (
    <div>
      <p id={heading} className="muted px-3 pb-2 text-xs font-semibold tracking-wider uppercase">
        {title}
      </p>
      <ul aria-labelledby={heading} className="flex flex-col gap-0.5">
        {entries.map(({ label, to, also }) => {
          const here = pathname === to || pathname === also;
          const count = counts?.[to] ?? 0;
          return (
            <li key={label}>
              <Link
                to={to}
                aria-current={here ? 'page' : undefined}
                onClick={onGo}
                className={`flex min-h-11 items-center justify-between rounded-field px-3 text-sm font-medium ${here ? 'bg-primary text-primary-content' : 'hover:bg-base-200'}`}
              >
                {label}
                {count > 0 && (
                  <span className={`badge badge-sm ${here ? 'badge-accent' : 'badge-primary'}`}>
                    {count}
                    <span className="sr-only"> in your cart</span>
                  </span>
                )}
              </Link>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
