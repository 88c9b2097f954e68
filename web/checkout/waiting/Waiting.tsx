// /dashboard/waiting: the lists on which the family is, what is offered, and what has happened.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { endWait, listWaits, type Wait, type Wish } from '../../../contract/checkout/waits.ts';
import { CallButton } from '../../platform/api/CallButton.tsx';
import { query } from '../../platform/api/query.ts';
import { capital, freeToWait, isYou, namesOf, nth, oddsInWords } from '../../classes/listWords.ts';
import { paths } from '../../platform/paths.ts';
import { LinkButton } from '../../platform/ui/Button.tsx';
import { Card } from '../../platform/ui/Card.tsx';
import { dateOf } from '../../platform/ui/dates.ts';
import { PageHeading } from '../../platform/ui/PageHeading.tsx';
import { EmptyState, NotYet, Skeleton } from '../../platform/ui/States.tsx';
import { Gathering, Offer } from './Offer.tsx';

export function Waiting() {
  const waits = useQuery(query(listWaits, {}));
  const { data = [] } = waits;
  const first = data.find(({ classes }) => classes.some(({ state }) => state === 'offered'));
  return (
    <>
      <PageHeading title="Waiting">{freeToWait}</PageHeading>
      <NotYet of={waits}>
        <Skeleton className="h-40" />
      </NotYet>
      {waits.data?.length === 0 && (
        <EmptyState
          drawing="nothing-scheduled"
          title="You are on no list"
          action={<LinkButton to={paths.classes}>See all classes</LinkButton>}
        >
          A class that is full has a list. We write to you when a seat is yours.
        </EmptyState>
      )}
      <div className="flex max-w-3xl flex-col gap-4">
        {data.map((wait) => (
          <OneWait key={wait.id} wait={wait} isMain={wait === first} />
        ))}
      </div>
    </>
  );
}

function OneWait({ wait, isMain }: { wait: Wait; isMain: boolean }) {
  const names = namesOf(wait);
  const title = capital(names);
  const missed = wait.classes.filter(({ ended }) => ended === 'expired' || ended === 'declined');
  return (
    <Card
      title={wait.seats > 1 ? `${title}, together` : title}
      actions={
        wait.open ? (
          <CallButton
            look="plain"
            size="small"
            of={names}
            call={endWait}
            input={{ id: wait.id }}
            said="Off the list"
            sure={{
              title: 'Leave the list?',
              text: 'The place is lost, in every class of this list.',
              yes: 'Leave the list',
              danger: true,
            }}
          >
            Leave the list
          </CallButton>
        ) : (
          <span className="meta">Over</span>
        )
      }
    >
      {wait.classes.map((wish) =>
        wish.state === 'offered' ? (
          <Offer key={wish.classId} wait={wait} wish={wish} isMain={isMain} />
        ) : wish.state === 'gathering' ? (
          <Gathering key={wish.classId} wait={wait} wish={wish} />
        ) : null,
      )}
      <ul className="divide-base-300 divide-y">
        {wait.classes
          .filter(({ place }) => place !== null)
          .map((wish) => (
            <OnList key={wish.classId} wish={wish} />
          ))}
      </ul>
      {missed.map(({ classId, name }) => (
        <p key={classId}>
          <Link
            to={`${paths.class(classId)}?list=${wait.participants.map(({ participantId }) => participantId).join(',')}`}
            className="touch link"
          >
            Put {isYou(wait) ? 'me' : names} back on the list of {name}
          </Link>
        </p>
      ))}
      <details className="text-sm">
        <summary className="flex min-h-11 w-fit cursor-pointer items-center font-medium">
          What happened
        </summary>
        <ol className="flex flex-col gap-1">
          {wait.history.map(({ at, text }) => (
            <li key={`${at} ${text}`} className="flex gap-3">
              <time dateTime={at} className="muted w-24 shrink-0">
                {dateOf(at)}
              </time>
              {text}
            </li>
          ))}
        </ol>
      </details>
    </Card>
  );
}

const states: Partial<Record<Wish['state'], string>> = {
  paused: 'waits while another class is offered',
  passed: 'next when enough seats are free together',
};

const OnList = ({ wish }: { wish: Wish }) => (
  <li className="py-2">
    <p className="flex flex-wrap items-baseline justify-between gap-x-4">
      <Link to={paths.class(wish.classId)} className="touch link-hover font-semibold wrap-anywhere">
        {wish.name}
      </Link>
      {wish.place !== null && <span className="figures">{nth(wish.place)} on the list</span>}
    </p>
    <p className="meta">{[wish.schedule, states[wish.state]].filter(Boolean).join(' · ')}</p>
    <p className="meta empty:hidden">{oddsInWords(wish)}</p>
  </li>
);
