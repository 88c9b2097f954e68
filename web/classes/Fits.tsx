// Which of the own children a class is for, by its ages, and what it overlaps for them.
import { useQuery } from '@tanstack/react-query';
import { listOverlaps } from '../../contract/classes/calendar.ts';
import type { Class } from '../../contract/classes/classes.ts';
import type { Participant } from '../../contract/people/family.ts';
import { oldest } from '../../contract/people/ages.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { query } from '../platform/api/query.ts';
import { participants } from './participants.ts';

interface FitsProps {
  item: Pick<Class, '_id' | 'minAge' | 'maxAge'>;
  withAge?: boolean;
}

const nameOf = ({ name }: Participant) => name.split(' ')[0];

export function Fits({ item: { _id, minAge, maxAge }, withAge = false }: FitsProps) {
  const enabled = useSession().state === 'in';
  const { data: people = [] } = useQuery({ ...participants, enabled });
  const children = people.filter(({ self }) => !self);
  const { data: overlaps = [] } = useQuery({
    ...query(listOverlaps, {}),
    enabled: children.length > 0,
    staleTime: 60_000,
    retry: false,
  });
  const hasAges = minAge !== undefined || maxAge !== undefined;
  const suited = children.filter(
    ({ age }) => !hasAges || (age !== null && age >= (minAge ?? 0) && age <= (maxAge ?? oldest)),
  );
  return (
    <>
      {hasAges && suited.length > 0 && (
        <span className="text-success font-medium">
          Fits{' '}
          {suited.map((child) => nameOf(child) + (withAge ? ` (${child.age})` : '')).join(', ')}
        </span>
      )}
      {suited.map((child) => {
        const mine = overlaps.find((one) => one.classId === _id && one.participantId === child._id);
        return (
          mine && (
            <span key={child._id} className="text-warning font-medium">
              {' '}
              {suited.length > 1 && `${nameOf(child)}: `}Overlaps {mine.with}
            </span>
          )
        );
      })}
    </>
  );
}
