// A class that is full: how many wait for it, who of the family does, and the way onto its list.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import { classWaiting, listWaits } from '../../../contract/checkout/waits.ts';
import type { ClassDetail } from '../../../contract/classes/classes.ts';
import { useSession } from '../../people/session/SessionProvider.tsx';
import { query, useSettings } from '../../platform/api/query.ts';
import { paths } from '../../platform/paths.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { todayIn } from '../../platform/ui/dates.ts';
import { onDemand } from '../../platform/ui/onDemand.tsx';
import { ageOn, isInRange } from '../choices.ts';
import { isYou, namesOf, nth } from '../listWords.ts';
import { participants } from '../participants.ts';

const ListSheet = onDemand(() => import('./ListSheet.tsx').then((m) => m.ListSheet));

export function Full({ item }: { item: ClassDetail }) {
  const { state } = useSession();
  const location = useLocation();
  const navigate = useNavigate();
  const [params, setParams] = useSearchParams();
  // From a mail: put back on the list. From a change of class: until a seat is free.
  const back = params.get('list');
  const [pressed, setPressed] = useState(false);
  const enabled = state === 'in';
  const waiting = useQuery(query(classWaiting, { id: item._id })).data?.waiting ?? 0;
  const people = useQuery({ ...participants, enabled }).data ?? [];
  const waits = useQuery({ ...query(listWaits, {}), enabled }).data ?? [];
  const mine = waits.flatMap((wait) =>
    wait.classes
      .filter(({ classId, state: its }) => classId === item._id && its !== 'ended')
      .map((wish) => ({ wait, wish })),
  );
  const there = new Set(
    mine.flatMap(({ wait }) => wait.participants.map(({ participantId }) => participantId)),
  );
  const today = todayIn(useSettings().timeZone);
  const { firstDay = today, minAge = null, maxAge = null } = item;
  const left = people.filter(
    ({ _id, self, born }) =>
      !there.has(_id) &&
      (!self || people.length === 1) &&
      (born === null || isInRange(ageOn(born, firstDay), { minAge, maxAge })),
  );
  const [only, another] = left;
  const whom = only && !another && !only.self ? only.name.split(' ')[0] : null;
  // Who presses before the session is known waits for it.
  useEffect(() => {
    if (pressed && state === 'out') void navigate(paths.login, { state: { from: location } });
  }, [pressed, state, navigate, location]);
  const close = () => {
    setPressed(false);
    if (back !== null) setParams({}, { replace: true });
  };
  return (
    <>
      <p className="basis-full text-sm font-semibold whitespace-normal">
        Full{waiting > 0 && ` · ${waiting} waiting`}
      </p>
      {mine.map(({ wait, wish }) => (
        <p key={wait.id} className="basis-full text-sm whitespace-normal">
          <Link to={paths.dashboard.waiting} className="touch link">
            {wish.state === 'offered'
              ? `A seat is kept for ${namesOf(wait)}`
              : `${isYou(wait) ? 'You are' : `${namesOf(wait)} is`} ${wish.place === null ? '' : nth(wish.place)} on the list`}
          </Link>
        </p>
      ))}
      {(left.length > 0 || mine.length === 0) && (
        <Button
          look={mine.length > 0 ? 'outline' : 'primary'}
          className="relative z-10 grow sm:max-lg:ml-auto sm:max-lg:max-w-xs lg:h-13 lg:basis-full lg:text-base"
          busy={pressed && state === 'loading'}
          onClick={() => setPressed(true)}
        >
          {whom ? `Put ${whom} on the list` : 'Join the list'}
        </Button>
      )}
      {enabled && (pressed || back !== null) && (
        <ListSheet
          item={item}
          back={back?.split(',') ?? []}
          instead={params.get('instead')}
          onClose={close}
        />
      )}
    </>
  );
}
