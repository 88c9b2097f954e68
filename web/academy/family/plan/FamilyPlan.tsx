// /dashboard/family/plan: proposes a class for each child, so that nothing overlaps and siblings come
// together, and puts a plan into the cart.
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { addToCart, listCart } from '../../../../contract/checkout/cart.ts';
import { weekdays } from '../../../../contract/platform/days.ts';
import { studentFigures } from '../../../../contract/academy/figures.ts';
import type { Time } from '../../../../contract/classes/finding.ts';
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
import { ProposalCard } from './ProposalCard.tsx';
import { Ticks } from './Ticks.tsx';
import { usePlanning } from './usePlanning.ts';

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
      <div className="border-base-300 bg-base-100 rounded-box flex flex-col gap-5 border p-4 sm:p-5">
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
    await readAgain(client, [listCart, studentFigures, listPlans]);
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
