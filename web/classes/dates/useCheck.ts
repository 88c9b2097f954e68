// What the server says about the rows, 500 ms after the last change of them: clashes, holidays,
// places that are too small, and what it would refuse.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { limits } from '../../../contract/platform/limits.ts';
import { checkDates } from '../../../contract/classes/meetings.ts';
import { query } from '../../platform/api/query.ts';
import { inputOf } from './rows.ts';
import { type Dates, problemIn } from './useDates.ts';
import { useSettled } from './useSettled.ts';

export type Checked = ReturnType<typeof useCheck>;

export function useCheck({ rows, seen, refused, classId }: Dates, seat: number | undefined) {
  const wrong = new Set(seen.map(({ key }) => key));
  const right = rows.filter(({ key }) => !wrong.has(key));
  const fits = seat !== undefined && seat >= limits.seats.min && seat <= limits.seats.max;
  const { input, keys } = useSettled(
    {
      keys: right.map(({ key }) => key),
      input: { ...(classId && { classId }), ...(fits && { seat }), meetings: right.map(inputOf) },
    },
    500,
  );
  const isAsked = input.meetings.length > 0;
  const { data, error } = useQuery({
    ...query(checkDates, input),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const problem = problemIn(error, keys);
  return {
    answer: isAsked ? data : undefined,
    /** The first one of a row is shown. */
    problems: [...refused, ...seen, ...(problem ? [problem] : [])],
    /** They could not be checked: without a network, for instance. */
    failed: error !== null && problem === null,
  };
}
