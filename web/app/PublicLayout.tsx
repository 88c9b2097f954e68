// The frame of every public page: navbar, content, footer (specification, section 2).
import { useEffect, useRef } from 'react';
import { Outlet, useLocation, useNavigate } from 'react-router';
import { closeSheet, useOpenSheet, useSelectClass } from '../classes/forWhom.ts';
import { paths } from '../platform/paths.ts';
import { earlySelection, selection } from '../people/session/selection.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { Footer } from './Footer.tsx';
import { Navbar } from './Navbar.tsx';
import { TabBar } from './TabBar.tsx';

export function PublicLayout() {
  useKeptSelection();
  const { pathname } = useLocation();
  return (
    <div className="flex min-h-screen flex-col">
      <a href="#content" className="btn btn-neutral absolute -top-20 left-4 z-50 focus:top-3">
        Skip to content
      </a>
      <Navbar />
      <main id="content" tabIndex={-1} className="flex-1 outline-none">
        <Outlet />
      </main>
      <Footer />
      <TabBar />
      <OpenSheet key={pathname} />
    </div>
  );
}

/** The question who a class is for, over the page on which it was selected. */
function OpenSheet() {
  const open = useOpenSheet();
  const { state } = useSession();
  useEffect(() => closeSheet, []);
  if (!open || state !== 'in') return null;
  return <open.Sheet key={open.classId} classId={open.classId} onClose={closeSheet} />;
}

const waysIn = new Set<string>([
  paths.login,
  paths.signup,
  paths.forgotPassword,
  paths.resetPassword,
  paths.confirm,
]);

/**
 * Back from signing in, the class that was selected before goes into the cart. Without signing in
 * it is forgotten. A click that came before the session was known is carried on here, too: into the
 * cart, or to the sign-in page. With children it is asked first who it is for.
 */
function useKeptSelection() {
  const { state, user } = useSession();
  const location = useLocation();
  const navigate = useNavigate();
  const { select } = useSelectClass();
  const latest = useRef({ navigate, select, user });
  useEffect(() => {
    latest.current = { navigate, select, user };
  });
  // Only when the session or the place changes: a page that is merely drawn again while the next
  // one loads has decided nothing.
  useEffect(() => {
    if (state === 'loading') return;
    const { navigate, select, user } = latest.current;
    const early = earlySelection.take(location.key);
    if (early !== null && state === 'out') {
      selection.keep(early);
      void navigate(paths.login, { state: { from: location } });
      return;
    }
    if (waysIn.has(location.pathname)) return;
    const itemId = early ?? selection.read();
    selection.forget();
    if (state === 'in' && itemId !== null) void select({ itemId, email: user?.email });
  }, [state, location]);
}
