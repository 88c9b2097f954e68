// The navbar. The server draws both ways in, signed out and signed in, and the stylesheet shows one
// (styles.css, data-auth); once the session is known only that one is left.
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, NavLink, useLocation, useNavigate } from 'react-router';
import { getCart } from '../../contract/checkout/cart.ts';
import { query, useSettings } from '../platform/api/query.ts';
import { dashboardOf, paths } from '../platform/paths.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { failure } from '../platform/ui/alert.ts';
import { BackCloses } from '../platform/ui/BackCloses.ts';
import { Avatar } from '../platform/ui/Picture.tsx';
import { ThemeToggle } from '../platform/ui/ThemeToggle.tsx';
import { Logo } from '../platform/ui/Logo.tsx';
import { Icon } from '../platform/ui/Icon.tsx';
import { askAndSignOut } from './leaving.ts';

const links = [
  [paths.home, 'Home'],
  [paths.instructors, 'Instructors'],
  [paths.classes, 'Classes'],
] as const;

const Links = ({ look }: { look: string }) =>
  links.map(([to, label]) => (
    <NavLink
      key={to}
      to={to}
      end
      className={({ isActive }) =>
        `btn btn-ghost ${look} ${isActive ? 'text-primary border-transparent bg-base-300' : ''}`
      }
    >
      {label}
    </NavLink>
  ));

export function Navbar() {
  const { brand, shortName, logo } = useSettings();
  return (
    <header className="border-base-300 bg-base-100 sticky top-0 z-40 border-b backdrop-blur-lg">
      <div className="measure flex h-16 items-center gap-2">
        <Link to={paths.home} className="mr-auto flex min-w-0 items-center gap-2.5 lg:mr-8">
          <Logo src={logo} />
          <span className="line-clamp-2 leading-tight font-bold wrap-anywhere lg:text-lg">
            <ShortOnPhones short={shortName}>{brand}</ShortOnPhones>
          </span>
        </Link>
        <nav aria-label="Main" className="hidden flex-1 items-center gap-1 md:flex">
          <Links look="md:max-lg:px-2.5" />
        </nav>
        <div className="hidden md:block">
          <ThemeToggle />
        </div>
        <WhenIn>
          <CartLink />
        </WhenIn>
        <div className="hidden items-center gap-1 md:flex">
          <AuthLinks />
        </div>
        <PhoneMenu />
      </div>
    </header>
  );
}

function ShortOnPhones({ short, children }: { short: string | undefined; children: string }) {
  if (!short) return children;
  return (
    <>
      <span className="sm:hidden">{short}</span>
      <span className="hidden sm:inline">{children}</span>
    </>
  );
}

function PhoneMenu() {
  const menu = useRef<HTMLDetailsElement>(null);
  const [open, setOpen] = useState(false);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    menu.current?.removeAttribute('open');
  }, [pathname]);
  useEffect(() => {
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !menu.current?.open) return;
      menu.current.removeAttribute('open');
      menu.current.querySelector('summary')?.focus();
    };
    // Left open it would lie over whatever has the focus next.
    const leave = ({ target }: FocusEvent) => {
      if (target instanceof Node && !menu.current?.contains(target))
        menu.current?.removeAttribute('open');
    };
    addEventListener('keydown', close);
    addEventListener('focusin', leave);
    return () => {
      removeEventListener('keydown', close);
      removeEventListener('focusin', leave);
    };
  }, []);
  return (
    <details
      ref={menu}
      className="group md:hidden"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      {open && <BackCloses onBack={() => menu.current?.removeAttribute('open')} />}
      <summary className="btn btn-ghost btn-circle list-none" aria-label="Menu">
        <Icon name="menu" className="size-6 group-open:hidden" />
        <Icon name="x" className="hidden size-6 group-open:block" />
      </summary>
      <div className="border-base-300 bg-base-100 absolute inset-x-0 top-16 flex flex-col gap-1 border-b p-4 shadow-xl">
        <nav aria-label="Menu" className="flex flex-col gap-1">
          <Links look="justify-start text-lg" />
        </nav>
        <div className="border-base-300 mt-2 flex flex-wrap items-center gap-2 border-t pt-4">
          <AuthLinks />
          <div className="ml-auto">
            <ThemeToggle />
          </div>
        </div>
      </div>
    </details>
  );
}

function AuthLinks() {
  const { state } = useSession();
  return (
    <>
      {state !== 'in' && (
        <div className={state === 'loading' ? 'when-out contents' : 'contents'}>
          <LoginLink />
        </div>
      )}
      <WhenIn>
        <SignedIn />
      </WhenIn>
    </>
  );
}

function WhenIn({ children }: { children: ReactNode }) {
  const { state } = useSession();
  if (state === 'out') return null;
  return <div className={state === 'loading' ? 'when-in contents' : 'contents'}>{children}</div>;
}

/** Carries where the visitor was, or where a guard had turned them away from. */
function LoginLink() {
  const location = useLocation();
  const carried = (location.state as { from?: unknown } | null)?.from;
  const onForm = location.pathname === paths.login || location.pathname === paths.signup;
  return (
    <Link
      to={paths.login}
      state={{ from: carried ?? (onForm ? undefined : location) }}
      className="btn btn-outline brand px-6 font-semibold"
    >
      Login
    </Link>
  );
}

function SignedIn() {
  const { user, role, roleLoading } = useSession();
  const navigate = useNavigate();
  const leave = async () => {
    try {
      if (await askAndSignOut()) await navigate(paths.home);
    } catch {
      await failure(
        'You are still signed in',
        'The server could not be reached. Please try again.',
      );
    }
  };
  return (
    <>
      {user ? <Avatar person={user} /> : <span className="skeleton size-10 rounded-full" />}
      <button type="button" className="btn btn-ghost md:max-lg:px-2.5" onClick={() => void leave()}>
        Logout
      </button>
      <Link
        to={roleLoading ? paths.dashboard.home : dashboardOf(role)}
        className="btn btn-ghost md:max-lg:px-2.5"
      >
        Dashboard
      </Link>
    </>
  );
}

function CartLink() {
  const { state } = useSession();
  const { data } = useQuery({ ...query(getCart, {}), enabled: state === 'in' });
  const count = data?.length ?? 0;
  const label = data ? `Cart, ${count} ${count === 1 ? 'class' : 'classes'}` : 'Cart';
  return (
    <Link
      to={paths.dashboard.myCart}
      className="btn btn-ghost btn-circle relative"
      aria-label={label}
    >
      <Icon name="cart" />
      {count > 0 && (
        <span aria-hidden="true" className="figures cart-count">
          {count}
        </span>
      )}
    </Link>
  );
}
