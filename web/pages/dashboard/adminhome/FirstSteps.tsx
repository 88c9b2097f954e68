// What a new academy does first, until it has sold its first seat.
import { Link } from 'react-router';
import type { AdminFigures } from '../../../../contract/figures.ts';
import { useSettings } from '../../../api/query.ts';
import { paths } from '../../../paths.ts';
import { Icon } from '../../../ui/Icon.tsx';
import * as icons from '../../../ui/dashboardicons.ts';

interface Step {
  done: boolean;
  title: string;
  how: string;
  to?: string;
}

function useSteps({ users, classes }: AdminFigures): Step[] {
  const { cards } = useSettings();
  return [
    {
      done: users.instructor > 0,
      title: 'Name an instructor',
      how: 'Ask them to sign up, then press Make Instructor in Manage Users.',
      to: paths.dashboard.manageUsers,
    },
    {
      done: classes.pending + classes.approved + classes.denied > 0,
      title: 'Get the first class',
      how: 'An instructor adds it with Add a Class.',
    },
    {
      done: classes.approved > 0,
      title: 'Approve a class',
      how: 'Visitors see approved classes only.',
      to: paths.dashboard.manageClasses,
    },
    {
      done: !cards.sandbox,
      title: 'Connect Stripe',
      how: 'Until STRIPE_SECRET_KEY is set, cards are charged in the sandbox: no real money moves.',
    },
  ];
}

export function FirstSteps({ figures }: { figures: AdminFigures }) {
  const steps = useSteps(figures);
  if (figures.enrolments > 0 || steps.every(({ done }) => done)) return null;
  return (
    <section aria-labelledby="steps" className="card border-base-300 bg-base-100 gap-4 border p-5">
      <div>
        <h2 id="steps" className="text-lg">
          First steps
        </h2>
        <p className="muted text-sm">
          {steps.filter(({ done }) => done).length} of {steps.length} done
        </p>
      </div>
      <ol className="grid gap-4 sm:grid-cols-2">
        {steps.map(({ done, title, how, to }) => (
          <li key={title} className="flex gap-3">
            <span className={done ? 'text-success' : 'muted'}>
              <Icon name={done ? icons.circleCheck : 'right'} className="mt-0.5 size-5" />
            </span>
            <div>
              <p className="font-medium">
                {to && !done ? (
                  <Link to={to} className="link">
                    {title}
                  </Link>
                ) : (
                  title
                )}
                {done && <span className="sr-only"> (done)</span>}
              </p>
              {!done && <p className="muted text-sm">{how}</p>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
