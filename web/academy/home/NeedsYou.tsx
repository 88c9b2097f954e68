// What waits for an admin, each with its number and the way to it.
import { Link } from 'react-router';
import type { AdminFigures } from '../../../contract/academy/figures.ts';
import { inWords } from '../../platform/lists/total.ts';
import { paths } from '../../platform/paths.ts';
import { Icon, type AnyIcon } from '../../platform/ui/Icon.tsx';
import * as icons from '../../platform/ui/dashboardicons.ts';

interface Need {
  count: number;
  icon: AnyIcon;
  one: string;
  more: string;
  to: string;
  tone: string;
}

const needsOf = ({ classes, failedRefunds, ...figures }: AdminFigures): Need[] => [
  {
    count: classes.pending,
    icon: icons.hourglass,
    one: 'class to review',
    more: 'classes to review',
    to: `${paths.dashboard.manageClasses}?status=pending`,
    tone: 'text-warning',
  },
  {
    count: failedRefunds,
    icon: 'card',
    one: 'failed refund',
    more: 'failed refunds',
    to: `${paths.dashboard.payments}?status=refund_failed`,
    tone: 'text-error',
  },
  {
    count: figures.attention - figures.families,
    icon: 'alert',
    one: 'payment problem',
    more: 'payment problems',
    to: paths.dashboard.attention,
    tone: 'text-error',
  },
  {
    count: figures.families,
    icon: 'calendar',
    one: 'family waiting for an answer',
    more: 'families waiting for an answer',
    to: paths.dashboard.attention,
    tone: 'text-warning',
  },
  {
    count: figures.nearlyFull,
    icon: 'users',
    one: 'class is nearly full',
    more: 'classes are nearly full',
    to: `${paths.dashboard.manageClasses}?status=approved&sort=seat`,
    tone: 'text-primary',
  },
];

export function NeedsYou({ figures }: { figures: AdminFigures }) {
  return (
    <section aria-labelledby="needs" className="flex flex-col gap-4">
      <h2 id="needs" className="text-lg">
        Needs you
      </h2>
      <ul className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-5">
        {needsOf(figures).map(({ count, icon, one, more, to, tone }) => (
          <li key={one} className="flex">
            <Link
              to={to}
              className="card border-base-300 bg-base-100 hover:border-base-content/40 w-full gap-1 border p-4 sm:p-5"
            >
              <span className={`flex items-center gap-2.5 ${count > 0 ? tone : 'muted'}`}>
                <Icon name={icon} className="size-5" />
                <span className="text-3xl font-semibold tabular-nums">{inWords(count)}</span>
              </span>
              <span className="muted text-sm">{count === 1 ? one : more}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
