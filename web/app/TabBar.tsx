// The four ways of a role at the thumb, on phones. Hidden where a page has a bar of its own, and until
// somebody is signed in (tabs.css).
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { getCart } from '../../contract/checkout/cart.ts';
import type { Role } from '../../contract/platform/call.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { query } from '../platform/api/query.ts';
import { paths } from '../platform/paths.ts';
import { Icon, type IconName } from '../platform/ui/Icon.tsx';
import { onDemand } from '../platform/ui/onDemand.tsx';

const MenuSheet = onDemand(() => import('./MenuSheet.tsx').then((m) => m.MenuSheet));

const at = paths.dashboard;
const tabs: Record<Role, readonly (readonly [label: string, icon: IconName, to: string])[]> = {
  student: [
    ['Week', 'calendar', at.userHome],
    ['Classes', 'ball', paths.classes],
    ['Cart', 'cart', at.myCart],
  ],
  instructor: [
    ['Today', 'clock', at.myClasses],
    ['Roll Call', 'check', at.rollCall],
    ['Calendar', 'calendar', at.calendar],
  ],
  admin: [
    ['Home', 'clock', at.adminHome],
    ['Users', 'users', at.manageUsers],
    ['Classes', 'ball', at.manageClasses],
  ],
};

export function TabBar() {
  const { state, role } = useSession();
  const { pathname } = useLocation();
  const [more, setMore] = useState(false);
  const cart = useQuery({
    ...query(getCart, {}),
    enabled: state === 'in' && role === 'student',
    staleTime: 10_000,
  }).data?.length;
  if (state === 'out') return null;
  return (
    <nav aria-label="Tabs" className="tab-bar">
      {role &&
        tabs[role].map(([label, icon, to]) => (
          <Link
            key={label}
            to={to}
            className="tab"
            aria-current={pathname === to ? 'page' : pathname.startsWith(`${to}/`) || undefined}
          >
            <Icon name={icon} className="size-5.5" />
            <span>
              {label}
              {label === 'Cart' && Boolean(cart) && ` (${cart})`}
            </span>
          </Link>
        ))}
      <button type="button" className="tab" onClick={() => setMore(true)}>
        <Icon name="menu" className="size-5.5" />
        More
      </button>
      {more && <MenuSheet onClose={() => setMore(false)} />}
    </nav>
  );
}
