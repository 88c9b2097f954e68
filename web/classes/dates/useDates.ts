// The dates of one class while its form is open, and how they are saved.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type ClassDetail, getClass } from '../../../contract/classes/classes.ts';
import { checkDates, type MeetingInput, setDates } from '../../../contract/classes/meetings.ts';
import { listClosures, listPlaces } from '../../../contract/classes/places.ts';
import { query, useSettings } from '../../platform/api/query.ts';
import { ApiError, send } from '../../platform/api/send.ts';
import { classImpact, type Impact } from '../../../contract/checkout/cancel.ts';
import {
  type Cell,
  type Change,
  changesOf,
  type DateRow,
  inOrder,
  inputOf,
  isChanged,
  merge,
  type Problem,
  problemsOf,
  rowsOf,
  wordsOf,
} from './rows.ts';
import { acts, start } from './state.ts';
import { todayIn } from '../../platform/ui/dates.ts';

const none: never[] = [];

type Planned = Pick<ClassDetail, '_id' | 'capacity' | 'seat' | 'enrolled' | 'meetings' | 'dates'> &
  Partial<Pick<ClassDetail, 'instructorId'>>;

/** The words to the families are asked for: what changes, and whom it reaches. */
export interface Question {
  changes: Change[];
  impact: Impact;
  answer: (words: string | null, giveBack?: boolean) => void;
}

interface Told {
  tell?: string;
  giveBack?: true;
}

export type Dates = ReturnType<typeof useDates>;

/** `isAdmin`: may choose a substitute for a meeting. */
export function useDates(item?: Planned, { isAdmin = false } = {}) {
  const client = useQueryClient();
  const places = useQuery(query(listPlaces, {})).data ?? none;
  const closures = useQuery(query(listClosures, {})).data ?? none;
  const today = todayIn(useSettings().timeZone);
  const [state, act] = useState(() => start(rowsOf(item?.meetings ?? none), item?.dates ?? 0));
  const [question, setQuestion] = useState<Question | null>(null);
  // Words that were refused along with the dates are not typed twice.
  const [tell, setTell] = useState('');
  const [bookedNow, setBookedNow] = useState(false);
  // Somebody is enrolled, or is paying right now.
  const booked = bookedNow || (item !== undefined && item.capacity > item.seat);
  const { rows, base, version } = state;
  const seen = problemsOf(rows, today);
  const changed = isChanged(base, rows);
  const words = wordsOf(rows, places);

  const { focus } = state;
  useEffect(() => {
    if (focus) document.getElementById(focus.id)?.focus();
  }, [focus]);

  const checkAgain = () => void client.invalidateQueries({ queryKey: [checkDates.id] });

  /** True when the rules find nothing; otherwise the first wrong field has the focus. */
  const check = () => {
    if (seen.length > 0) act(acts.refuse(seen));
    return seen.length === 0;
  };

  /** True when the refusal was about one of the rows, and is shown there. */
  const refuse = (error: unknown): boolean => {
    const keys = rows.map(({ key }) => key);
    const problem = problemIn(error, keys);
    if (problem) act(acts.refuse([problem]));
    return problem !== null;
  };

  const ask = async (about: Planned, meetings: MeetingInput[]) => {
    const found = await send(checkDates, { classId: about._id, meetings });
    if (found.clashes[0]) {
      checkAgain();
      throw new Error('These dates clash with another class. Please look at the list.');
    }
    const impact = await send(classImpact, { id: about._id, meetings });
    const changes = changesOf(base, rows, places);
    return new Promise<Told | null>((answer) => {
      const close = (tell: string | null, giveBack = false) => {
        setQuestion(null);
        if (tell) setTell(tell);
        answer(tell === null ? null : { ...(tell && { tell }), ...(giveBack && { giveBack }) });
      };
      setQuestion({ changes, impact, answer: close });
    });
  };

  /** 'kept': nothing was sent, as a row is wrong or the question was answered with Cancel. */
  const save = async (): Promise<ClassDetail | 'same' | 'kept'> => {
    if (!item || !changed) return 'same';
    if (!check()) return 'kept';
    const meetings = rows.map(inputOf);
    try {
      const told = booked ? await ask(item, meetings) : {};
      if (told === null) return 'kept';
      await send(setDates, { id: item._id, version, meetings, ...told });
      setTell('');
      const fresh = await client.fetchQuery({ ...query(getClass, { id: item._id }), staleTime: 0 });
      act(start(rowsOf(fresh.meetings ?? none), fresh.dates ?? 0));
      return fresh;
    } catch (error) {
      if (refuse(error)) return 'kept';
      throw error instanceof ApiError ? await after(error, item) : error;
    }
  };

  /** What is done after a refusal, and what is said about it. */
  const after = async (error: ApiError, item: Planned): Promise<Error> => {
    if (error.clashes) checkAgain();
    if (error.code === 'DATES_CHANGED') return reread(item);
    const isNews = error.code === 'FAMILIES_BOOKED' || error.field === 'tell';
    if (!isNews) return error;
    setBookedNow(true);
    const here = new Set(rows.map(({ key }) => key));
    const back = inOrder([...rows, ...base.filter(({ key }) => !here.has(key))]);
    act(acts.merge(base, back, version));
    return new Error(
      'Families have booked this class: a date can be moved or cancelled, not removed. Save again to tell them.',
    );
  };

  const reread = async ({ _id: id }: Planned) => {
    const fresh = await client.fetchQuery({ ...query(getClass, { id }), staleTime: 0 });
    const stored = rowsOf(fresh.meetings ?? none);
    const merged = merge(base, rows, stored);
    act(acts.merge(stored, merged, fresh.dates ?? 0));
    return new Error(
      isChanged(stored, merged)
        ? 'Somebody has changed these dates meanwhile. What you typed is kept in the list. Look at it and save again.'
        : 'Somebody has changed these dates meanwhile. The list shows them as they are now.',
    );
  };

  return {
    ...state,
    places,
    closures,
    today,
    seen,
    act,
    classId: item?._id,
    isAdmin,
    isSubstitute: ({ teacher }: DateRow) =>
      teacher !== undefined && teacher.id !== (item?.instructorId ?? teacher.id),
    booked,
    /** What Schedule and Place will say; empty while they are free text. */
    words,
    /** For Add a Class: the dates, and the words that they leave free. */
    asSent: ({ schedule, place }: { schedule?: string; place?: string }) => ({
      ...(rows.length > 0 && { meetings: rows.map(inputOf) }),
      schedule: words.schedule ? '' : schedule,
      place: words.place ? '' : place,
    }),
    check,
    refuse,
    save,
    question,
    tell,
  };
}

const labels: Record<string, string> = {
  day: 'Day',
  starts: 'Time',
  minutes: 'Length',
  placeId: 'Where',
} satisfies Record<Cell, string>;

/** 'meetings.3.starts overlaps …' as 'Time overlaps …', at the time of its row. */
export function problemIn(error: unknown, keys: readonly string[]): Problem | null {
  const { field = '', message } = error instanceof ApiError ? error : { message: '' };
  const [, index, name = 'day'] = /^meetings\.(\d+)(?:\.(\w+))?$/.exec(field) ?? [];
  const key = keys[Number(index)];
  if (!key) return null;
  const label = labels[name];
  const words = message.replace(`${field} `, `${label ?? 'This date'} `);
  return { key, cell: label ? (name as Cell) : 'day', words };
}
