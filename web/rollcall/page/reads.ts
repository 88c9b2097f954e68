// What the roll call reads: from the server, and from the phone while it does not answer.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { myCalendar } from '../../../contract/classes/calendar.ts';
import { addDays } from '../../../contract/platform/days.ts';
import { getRoster, type Roster } from '../../../contract/rollcall/rollcall.ts';
import { query, useSettings } from '../../platform/api/query.ts';
import { ApiError, send } from '../../platform/api/send.ts';
import type { Me } from '../rows.ts';
import * as store from '../store.ts';
import { useSession } from '../../people/session/SessionProvider.tsx';
import { todayIn } from '../../platform/ui/dates.ts';

/** Reads that the phone answers: the library would hold them back without a network. */
const fromPhone = { networkMode: 'always', staleTime: 0, gcTime: 0, retry: false } as const;
/** Tried once without a network, too: the browser may be wrong about it. */
const fromServer = { networkMode: 'always', retry: 1, retryDelay: 1_000 } as const;

const daysAhead = 7;

export function useMeetings(me: Me) {
  const { state } = useSession();
  const today = todayIn(useSettings().timeZone);
  const range = { from: today, to: addDays(today, daysAhead) };
  const kept = useQuery({
    queryKey: ['kept meetings', me.id],
    queryFn: () => store.keptMeetings(me.id),
    ...fromPhone,
  });
  const fresh = useQuery({
    ...query(myCalendar, range),
    queryFn: async ({ signal }) => {
      const meetings = await send(myCalendar, range, { signal });
      await store
        .keepPerson({ ...me, meetings: meetings.filter(({ teaches }) => teaches) })
        .catch(() => null);
      return meetings;
    },
    ...fromServer,
    enabled: state === 'in',
  });
  const meetings = (fresh.data?.filter(({ teaches }) => teaches) ?? kept.data)
    ?.filter(({ day }) => day >= today)
    .toSorted((one, other) => Date.parse(one.startsAt) - Date.parse(other.startsAt));
  return { meetings, today, fresh, isPending: kept.isPending };
}

/** Keeps the rosters of today and tomorrow; until when the last of them stays. */
export function useKeptUntil(
  me: Me,
  meetings: readonly store.Planned[] | undefined,
  today: string,
) {
  const { state } = useSession();
  const client = useQueryClient();
  const near = (meetings ?? []).filter(
    ({ day, state: planned }) => planned === 'on' && day <= addDays(today, 1),
  );
  const { data } = useQuery({
    queryKey: ['kept rosters', me.id, state, near.map(({ _id }) => _id)],
    queryFn: async () => {
      if (state === 'in')
        for (const { _id, classId } of near)
          await client.fetchQuery(rosterOf(me, classId, _id)).catch(() => null);
      const own = await store.keptRosters(me.id);
      return { ids: own.map(({ meetingId }) => meetingId), until: own.at(-1)?.until ?? null };
    },
    ...fromPhone,
    enabled: meetings !== undefined,
  });
  return data;
}

const inTwoDays = 2 * 86_400_000;

/** Only meetings of one's own, today and tomorrow. An admin who looks keeps nothing. */
export function isKept({ id }: Me, { meetingId, meetings, until }: Roster) {
  const meeting = meetings.find(({ _id }) => _id === meetingId);
  if (meeting?.instructorId !== id || Date.parse(until) <= Date.now()) return false;
  return Date.parse(meeting.startsAt) < Date.now() + inTwoDays;
}

function rosterOf(me: Me, id: string, meeting: string | null) {
  const input = { id, ...(meeting && { meeting }), care: 'true' as const };
  return {
    ...query(getRoster, input),
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      try {
        const roster = await send(getRoster, input, { signal });
        if (isKept(me, roster)) await store.keepRoster(me, roster).catch(() => null);
        return roster;
      } catch (error) {
        const gone = error instanceof ApiError && error.status === 404;
        if (gone) await store.forgetRoster(me.id, id).catch(() => null);
        throw error;
      }
    },
  };
}

/** `kept` is shown until the server has answered. */
export function useRoster(me: Me, classId: string, meetingId: string | null) {
  const { state, retryRole } = useSession();
  const kept = useQuery({
    queryKey: ['kept roster', me.id, classId, meetingId],
    queryFn: () => store.readRoster(me.id, classId, meetingId),
    ...fromPhone,
  });
  const fresh = useQuery({
    ...rosterOf(me, classId, meetingId),
    ...fromServer,
    enabled: state === 'in',
    // Another coach, or another phone, may mark the same meeting. Only while the page is visible.
    refetchInterval: 15_000,
  });
  const gone = fresh.error?.status === 404 || fresh.error?.status === 400;
  return {
    roster: gone ? undefined : (fresh.data ?? kept.data ?? undefined),
    gone,
    /** Neither the server nor the phone has it. */
    missing: !fresh.data && kept.data === null && (fresh.isError || Boolean(retryRole)),
    retry: retryRole ?? (() => void fresh.refetch()),
    trying: fresh.isFetching,
  };
}
