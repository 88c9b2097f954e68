// The places and instructors that filters have to choose from, and the names of the chosen ones.
import { useQuery } from '@tanstack/react-query';
import { listInstructors } from '../../contract/classes/instructors.ts';
import { listPlaces } from '../../contract/classes/places.ts';
import { query } from '../platform/api/query.ts';
import { reading } from '../platform/api/reads.ts';
import type { Asked } from './filters.ts';

const allInstructors = { sort: 'name', limit: 100 } as const;

export const readOffered = [reading(listInstructors, allInstructors), reading(listPlaces, {})];

/** `known`: the name of the chosen instructor, where the list does not reach so far. */
export function useOffered(asked: Asked, known?: string) {
  const { data } = useQuery({ ...query(listInstructors, allInstructors), staleTime: 60_000 });
  const { data: all = [] } = useQuery({ ...query(listPlaces, {}), staleTime: 60_000 });
  const instructors = data?.items ?? [];
  const teacher = instructors.find(({ id }) => id === asked.instructor)?.name ?? known;
  const place = all.find(({ _id }) => _id === asked.place)?.name;
  const places = all.filter(({ _id, closed }) => !closed || _id === asked.place);
  return { offered: { instructors, places, teacher }, names: { teacher, place } };
}
