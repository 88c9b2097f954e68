// The dashboard's menu: the entries of the role, the Others of the specification, and the user.
import { useId } from 'react';
import { Link, useLocation } from 'react-router';
import { rollCallUsed } from '../people/session/phone.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { useTeaches } from '../people/session/teaches.ts';
import { Icon } from '../platform/ui/Icon.tsx';
import { Avatar } from '../platform/ui/Picture.tsx';
import { Skeleton } from '../platform/ui/States.tsx';
import { type Counts, useCounts, useIsFamilyToo } from './counts.ts';
import { type Entry, familyToo, menuOf, others, teachesToo, withoutServer } from './menu.ts';
import { askAndSignOut } from './leaving.ts';

export function Sidebar({ onGo }: { onGo: () => void }) {
  const { state, user, role, roleLoading, retryRole } = useSession();
  const counts = useCounts();
  const isFamilyToo = useIsFamilyToo();
  const teaches = useTeaches();
  return (
    <>
      <nav aria-label="Dashboard" className="sidebar-groups">
        {retryRole ? (
          <WithoutServer onGo={onGo} />
        ) : roleLoading ? (
          <div className="px-3" aria-busy="true">
            <Skeleton className="h-40" />
          </div>
        ) : (
          menuOf(role).map((group) => (
            <Section key={group.title} {...group} counts={counts} onGo={onGo} />
          ))
        )}
        {role === 'admin' && teaches && (
          <Section title="Instructor" entries={teachesToo} onGo={onGo} />
        )}
        {isFamilyToo && <Section title="Student" entries={familyToo} counts={counts} onGo={onGo} />}
        <Others onGo={onGo} />
      </nav>
      {state !== 'out' && (user || !retryRole) && <SignedIn />}
    </>
  );
}

function WithoutServer({ onGo }: { onGo: () => void }) {
  return (
    <>
      {rollCallUsed() && <Section title="Without a network" entries={withoutServer} onGo={onGo} />}
      <p className="muted px-3 text-sm">The menu is back as soon as the server answers.</p>
    </>
  );
}

/** Long names take a second line; a long address ends with dots and is whole in its title. */
function SignedIn() {
  const { user } = useSession();
  return (
    <div className="border-base-300 flex min-h-16 items-center gap-3 border-t py-2 pr-2 pl-6">
      {user ? (
        <>
          <Avatar person={user} named={false} size={32} />
          <div className="min-w-0 flex-1">
            <p className="line-clamp-2 text-sm leading-tight font-semibold" title={user.name}>
              {user.name}
            </p>
            <p className="muted truncate text-xs" title={user.email}>
              {user.email}
            </p>
          </div>
        </>
      ) : (
        <>
          <Skeleton className="size-8 rounded-full" />
          <Skeleton className="h-4 flex-1" />
        </>
      )}
      <button
        type="button"
        className="btn btn-ghost btn-sm"
        disabled={!user}
        onClick={() => void askAndSignOut()}
      >
        Logout
      </button>
    </div>
  );
}

/** Three short words on one line; the last two are of no use to who is signed in. */
function Others({ onGo }: { onGo: () => void }) {
  const heading = useId();
  return (
    <div className="mt-auto">
      <p id={heading} className={sectionTitle}>
        Others
      </p>
      <ul aria-labelledby={heading} className="muted flex">
        {others.map(({ label, to }) => (
          <li key={label}>
            <Link to={to} onClick={onGo} className={`${row} hover:bg-base-200`}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

const row =
  'flex min-h-11 items-center gap-3 rounded-field px-3 text-sm font-medium lg:pointer-fine:min-h-8.5';
const sectionTitle = 'muted px-3 pb-0.5 text-xs font-medium';

interface SectionProps {
  title: string;
  entries: readonly Entry[];
  counts?: Counts;
  onGo: () => void;
}

function Section({ title, entries, counts, onGo }: SectionProps) {
  const heading = useId();
  const { pathname } = useLocation();
  return (
    <div>
      <p id={heading} className={sectionTitle}>
        {title}
      </p>
      <ul aria-labelledby={heading} className="flex flex-col">
        {entries.map(({ label, to, icon, also }) => {
          const here = pathname === to || pathname === also;
          const beneath = pathname.startsWith(`${to}/`);
          const { count = 0, says } = counts?.[to] ?? {};
          const look = here || beneath ? 'bg-primary text-primary-content' : 'hover:bg-base-200';
          return (
            <li key={label}>
              <Link
                to={to}
                aria-current={here ? 'page' : beneath ? 'true' : undefined}
                onClick={onGo}
                className={`${row} ${look}`}
              >
                <Icon name={icon} className="size-4.5 shrink-0" />
                <span className="flex-1">{label}</span>
                {count > 0 && (
                  <span className="cart-count figures static">
                    {count}
                    <span className="sr-only"> {says}</span>
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
