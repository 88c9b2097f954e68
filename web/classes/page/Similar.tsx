// Two other classes with free seats: of the same sport first, then popular ones.
import { useQuery } from '@tanstack/react-query';
import { type Class, listClasses } from '../../../contract/classes/classes.ts';
import { query } from '../../platform/api/query.ts';
import { reading } from '../../platform/api/reads.ts';
import { ClassTeaser } from '../ClassTeaser.tsx';
import { Section } from './Section.tsx';

const shown = 2;

/** One more than is shown: the class of the page itself may be among them. */
const popular = { status: 'approved', free: 'true', sort: 'popular', limit: shown + 1 } as const;
const ofSport = ({ sport }: Class) => ({ ...popular, sport });

const without = (item: Class, found: readonly Class[] = []) =>
  found.filter(({ _id }) => _id !== item._id).slice(0, shown);

export const readSimilar = (item: Class) =>
  reading(listClasses, ofSport(item), ({ result }) =>
    without(item, result).length < shown ? [reading(listClasses, popular)] : [],
  );

export function Similar({ item }: { item: Class }) {
  const staleTime = 30_000;
  const same = useQuery({ ...query(listClasses, ofSport(item)), staleTime });
  const first = without(item, same.data?.result);
  const others = useQuery({
    ...query(listClasses, popular),
    staleTime,
    enabled: same.isSuccess && first.length < shown,
  });
  const known = new Set(first.map(({ _id }) => _id));
  const similar = [
    ...first,
    ...without(item, others.data?.result).filter(({ _id }) => !known.has(_id)),
  ].slice(0, shown);
  if (similar.length === 0) return null;
  return (
    <Section title="Similar classes">
      <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {similar.map((other) => (
          <li key={other._id}>
            <ClassTeaser item={other} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
