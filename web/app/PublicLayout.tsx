// The frame of every public page: navbar, content, footer (specification, section 2).
import { useEffect, useRef } from 'react';
import { Outlet, useLocation, useNavigate } from 'react-router';
import { useAddToCart } from '../features/ClassCard.tsx';
import { paths } from '../paths.ts';
import { selection } from '../session/selection.ts';
import { useSession } from '../session/SessionProvider.tsx';
import { Footer } from './Footer.tsx';
import { Navbar } from './Navbar.tsx';

export function PublicLayout() {
  useKeptSelection();
  return (
    <div className="flex min-h-screen flex-col">
      <a href="#content" className="btn btn-accent absolute -top-20 left-4 z-50 focus:top-3">
        Skip to content
      </a>
      <Navbar />
      <main id="content" tabIndex={-1} className="flex-1 outline-none">
        <Outlet />
      </main>
      <Footer />
    </div>
  );
}

const waysIn = new Set<string>([paths.login, paths.signup, paths.forgotPassword, paths.resetPassword, paths.confirm]);

/**
 * Back from signing in, the class that was selected before goes into the cart; whoever wandered off instead did not mean it.
 * A click that came before the session was known is carried on here, too: into the cart, or to the sign-in page.
 */
function useKeptSelection() {
  const { state, user } = useSession();
  const location = useLocation();
  const navigate = useNavigate();
  const { run } = useAddToCart();
  const latest = useRef({ navigate, run, user });
  useEffect(() => {
    latest.current = { navigate, run, user };
  });
  const unknownAt = useRef(location.key);
  // Only when the session or the place changes: a page that is merely drawn again while the next one loads has decided nothing.
  useEffect(() => {
    if (state === 'loading') unknownAt.current = location.key;
    const itemId = selection.read();
    if (state === 'loading' || waysIn.has(location.pathname) || itemId === null) return;
    if (state === 'out' && unknownAt.current === location.key) {
      unknownAt.current = '';
      void latest.current.navigate(paths.login, { state: { from: location } });
      return;
    }
    selection.forget();
    if (state === 'in') void latest.current.run({ itemId, email: latest.current.user?.email });
  }, [state, location]);
}
