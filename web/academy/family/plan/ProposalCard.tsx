// One proposed week: who goes where and when, why, and one tap that puts it into the cart.
import { Link } from 'react-router';
import type { Proposal } from './search.ts';
import { paths } from '../../../platform/paths.ts';
import { Button } from '../../../platform/ui/Button.tsx';
import { Icon } from '../../../platform/ui/Icon.tsx';
import { money } from '../../../platform/ui/money.ts';

interface ProposalCardProps {
  proposal: Proposal;
  nth: number;
  busy: boolean;
  onTake: () => void;
}

export function ProposalCard({ proposal, nth, busy, onTake }: ProposalCardProps) {
  const { choices, total, why, but } = proposal;
  const title = `plan-${nth}`;
  return (
    <article
      aria-labelledby={title}
      className="border-base-300 bg-base-100 rounded-box flex flex-col gap-4 border p-4 sm:p-5"
    >
      <div className="flex items-baseline justify-between gap-3">
        <h2 id={title} className="text-lg">
          {nth === 1 ? 'Best fit' : `Plan ${nth}`}
        </h2>
        <p className="figures text-lg font-semibold">{money(total)}</p>
      </div>
      <ul className="divide-base-300 flex flex-col divide-y">
        {choices.map(({ child, item }) => (
          <li key={child.id} className="flex flex-col gap-0.5 py-3 first:pt-0 last:pb-0">
            <div className="flex items-baseline justify-between gap-3">
              <p className="min-w-0 wrap-anywhere">
                <strong>{child.name}</strong>
                {': '}
                <Link to={paths.class(item._id)} className="link">
                  {item.name}
                </Link>
              </p>
              <p className="figures muted shrink-0 text-sm">{money(item.price)}</p>
            </div>
            <p className="muted text-sm">
              {[item.schedule, placesOf(item.meetings)].filter(Boolean).join(' · ')}
            </p>
          </li>
        ))}
      </ul>
      <ul className="flex flex-col gap-1 text-sm">
        {why.map((reason) => (
          <li key={reason} className="flex items-start gap-2">
            <Icon name="check" className="text-success mt-0.5 size-4 shrink-0" />
            {reason}
          </li>
        ))}
        {but.map((reason) => (
          <li key={reason} className="text-warning flex items-start gap-2">
            <Icon name="alert" className="mt-0.5 size-4 shrink-0" />
            {reason}
          </li>
        ))}
      </ul>
      <Button className="mt-auto w-full" busy={busy} onClick={onTake}>
        <Icon name="cart" /> Put into the cart
        <span className="sr-only">: plan {nth}</span>
      </Button>
    </article>
  );
}

const placesOf = (meetings: readonly { place: string }[]) =>
  [...new Set(meetings.map(({ place }) => place))].filter(Boolean).join(', ');
