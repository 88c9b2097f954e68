// /dashboard/family/plan: proposes a class for each child, so that nothing overlaps and siblings come
// together, and puts a plan into the cart.
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { addToCart, getCart } from '../../../../contract/checkout/cart.ts';
import { weekdays } from '../../../../contract/platform/days.ts';
import { studentFigures } from '../../../../contract/academy/figures.ts';
import type { Time } from '../../../../contract/classes/weekdays.ts';
import { messages } from '../../../../contract/platform/messages.ts';
import { listPlans } from '../../../../contract/classes/plans.ts';
import { readAgain, useCall } from '../../../platform/api/query.ts';
import { ApiError, readable } from '../../../platform/api/send.ts';
import { planWeek, type Proposal, type Wishes } from './search.ts';
import { paths } from '../../../platform/paths.ts';
import { Button, LinkButton } from '../../../platform/ui/Button.tsx';
import { PageHeading } from '../../../platform/ui/PageHeading.tsx';
import { EmptyState, ErrorNote, Skeleton } from '../../../platform/ui/States.tsx';
import { failure, toast } from '../../../platform/ui/alert.ts';
import { usePlanning } from './usePlanning.ts';
import { Icon } from '../../../platform/ui/Icon.tsx';
import { money } from '../../../platform/ui/money.ts';

const dayOptions = weekdays.map((label, at) => ({ value: at + 1, label }));
const timeOptions: { value: Time; label: string; note: string }[] = [
  { value: 'morning', label: 'Morning', note: 'before 12:00' },
  { value: 'afternoon', label: 'Afternoon', note: 'before 17:00' },
  { value: 'evening', label: 'Evening', note: 'from 17:00' },
];

const anything: Wishes = { sports: [], days: [], times: [] };

export function FamilyPlan() {
  const { known, participants, error, retry } = usePlanning();
  const children = participants?.filter(({ self }) => !self);
  return (
    <>
      <PageHeading title="Plan a week">
        Tick who needs a class and when you can come. You see the weeks in which nothing overlaps
        and siblings come together.
      </PageHeading>
      {error ? (
        <ErrorNote message={error.message} onRetry={retry} />
      ) : children?.length === 0 ? (
        <EmptyState
          title="Add a child first"
          action={<LinkButton to={paths.dashboard.family}>To your family</LinkButton>}
        >
          The planner looks for classes for the children in your care.
        </EmptyState>
      ) : known && known.classes.length === 0 ? (
        <EmptyState title="No class has dates yet" drawing="nothing-scheduled">
          The planner needs classes with dates.
        </EmptyState>
      ) : !known || !children ? (
        <div aria-busy="true" className="flex flex-col gap-4">
          <Skeleton className="h-64" />
          <Skeleton className="h-56" />
        </div>
      ) : (
        <Planner known={known} first={children.map(({ _id }) => _id)} />
      )}
    </>
  );
}

type Known = NonNullable<ReturnType<typeof usePlanning>['known']>;

function Planner({ known, first }: { known: Known; first: string[] }) {
  const [who, setWho] = useState(first);
  const [wishes, setWishes] = useState(anything);
  const { sports, days, times } = wishes;
  const { classes, people } = known;
  const { proposals, missing } = useMemo(() => {
    const chosen = people.filter(({ id }) => who.includes(id));
    return planWeek(chosen, classes, wishes);
  }, [people, classes, who, wishes]);
  const { take, taking } = useTake();
  const offered = [...new Set(classes.map(({ sport }) => sport))].toSorted();
  const isFree = sports.length + days.length + times.length === 0;

  return (
    <div className="flex flex-col gap-6">
      <div className="card-frame">
        <Ticks
          legend="For whom"
          options={people.map(({ id, name }) => ({ value: id, label: name }))}
          ticked={who}
          onChange={setWho}
        />
        <Ticks
          legend="Days"
          hint="tick none for any"
          options={dayOptions}
          ticked={days}
          onChange={(ticked) => setWishes({ ...wishes, days: ticked })}
        />
        <Ticks
          legend="Time of day"
          hint="tick none for any"
          options={timeOptions}
          ticked={times}
          onChange={(ticked) => setWishes({ ...wishes, times: ticked })}
        />
        <Ticks
          legend="Sports"
          hint="tick none for any"
          options={offered.map((value) => ({ value, label: value }))}
          ticked={sports}
          onChange={(ticked) => setWishes({ ...wishes, sports: ticked })}
        />
      </div>
      <output className="font-semibold">
        {who.length === 0
          ? 'Tick at least one person.'
          : proposals.length === 0
            ? 'No plan found.'
            : proposals.length === 1
              ? 'One plan found.'
              : `${proposals.length} plans found.`}
      </output>
      {who.length > 0 && missing.length > 0 && (
        <EmptyState
          title="No week suits everyone"
          drawing="no-results"
          action={
            !isFree && <Button onClick={() => setWishes(anything)}>Any sport, day and time</Button>
          }
        >
          {missing.map((reason) => (
            <p key={reason}>{reason}</p>
          ))}
        </EmptyState>
      )}
      <div className="grid gap-4 lg:grid-cols-2 2xl:grid-cols-3">
        {proposals.map((proposal, at) => (
          <ProposalCard
            key={proposal.choices.map(({ item }) => item._id).join()}
            proposal={proposal}
            nth={at + 1}
            busy={taking === proposal}
            onTake={() => void take(proposal)}
          />
        ))}
      </div>
    </div>
  );
}

/** One addition for each child. What was refused is said; what was added stays in the cart. */
function useTake() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const add = useCall(addToCart);
  const [taking, setTaking] = useState<Proposal | null>(null);
  const take = async (proposal: Proposal) => {
    if (taking) return;
    setTaking(proposal);
    const problems: string[] = [];
    for (const { child, item } of proposal.choices) {
      try {
        await add.mutateAsync({ itemId: item._id, participantId: child.id });
      } catch (error) {
        // It has led to the sign-in page.
        if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return;
        problems.push(`${child.name}, ${item.name}: ${readable(error)}`);
      }
    }
    setTaking(null);
    await readAgain(client, [getCart, studentFigures, listPlans]);
    if (problems.length === 0) {
      toast(messages.addedToCart);
      await navigate(paths.dashboard.myCart);
    } else {
      const none = problems.length === proposal.choices.length;
      void failure(none ? 'Nothing was added' : 'Not everything was added', problems.join('\n'));
    }
  };
  return { take, taking };
}

interface ProposalCardProps {
  proposal: Proposal;
  nth: number;
  busy: boolean;
  onTake: () => void;
}

function ProposalCard({ proposal, nth, busy, onTake }: ProposalCardProps) {
  const { choices, total, why, but } = proposal;
  const title = `plan-${nth}`;
  return (
    <article aria-labelledby={title} className="card-frame">
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
      <Button
        look={nth === 1 ? 'primary' : 'outline'}
        className="mt-auto w-full"
        busy={busy}
        onClick={onTake}
      >
        <Icon name="cart" /> Put into the cart
        <span className="sr-only">: plan {nth}</span>
      </Button>
    </article>
  );
}

const placesOf = (meetings: readonly { place: string }[]) =>
  [...new Set(meetings.map(({ place }) => place))].filter(Boolean).join(', ');

interface TicksProps<Value extends string | number> {
  legend: string;
  hint?: string;
  options: readonly { value: Value; label: string; note?: string }[];
  ticked: readonly Value[];
  onChange: (ticked: Value[]) => void;
}

function Ticks<Value extends string | number>({
  legend,
  hint,
  options,
  ticked,
  onChange,
}: TicksProps<Value>) {
  const toggle = (value: Value) =>
    onChange(
      ticked.includes(value) ? ticked.filter((other) => other !== value) : [...ticked, value],
    );
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 text-sm font-semibold">
        {legend}
        {hint && <span className="muted font-normal"> · {hint}</span>}
      </legend>
      <div className="flex flex-wrap gap-2">
        {options.map(({ value, label, note }) => (
          <label key={value} className="chip">
            <input
              type="checkbox"
              className="checkbox checkbox-primary checkbox-sm rounded-md"
              checked={ticked.includes(value)}
              onChange={() => toggle(value)}
            />
            <span className="min-w-0 wrap-anywhere">
              {label}
              {note && <span className="muted max-sm:sr-only"> {note}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
