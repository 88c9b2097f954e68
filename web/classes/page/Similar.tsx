// Two other classes with free seats: for the same age, of the same sport first; then of the sport.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type Class, listClasses } from '../../../contract/classes/classes.ts';
import { query } from '../../platform/api/query.ts';
import { reading } from '../../platform/api/reads.ts';
import { paths } from '../../platform/paths.ts';
import { shortMoney } from '../../platform/ui/money.ts';
import { Thumb } from '../../platform/ui/Picture.tsx';
import { shortSchedule } from '../ClassFacts.tsx';
import { Section } from './Section.tsx';

const shown = 2;

const free = { status: 'approved', free: 'true', sort: 'popular', limit: 12 } as const;
const ofSport = ({ sport }: Class) => ({ ...free, sport });
function ofAge({ minAge, maxAge }: Class) {
  const age = Math.floor(((minAge ?? maxAge ?? 0) + (maxAge ?? minAge ?? 0)) / 2);
  return minAge === undefined && maxAge === undefined ? free : { ...free, age };
}

const bySport = ({ _id, sport }: Class, found: readonly Class[] = []) =>
  found
    .filter((other) => other._id !== _id)
    .toSorted((one, two) => Number(two.sport === sport) - Number(one.sport === sport));

export const readSimilar = (item: Class) =>
  reading(listClasses, ofAge(item), ({ result }) =>
    bySport(item, result).length < shown ? [reading(listClasses, ofSport(item))] : [],
  );

export function Similar({ item }: { item: Class }) {
  const staleTime = 30_000;
  const same = useQuery({ ...query(listClasses, ofAge(item)), staleTime });
  const first = bySport(item, same.data?.result);
  const others = useQuery({
    ...query(listClasses, ofSport(item)),
    staleTime,
    enabled: same.isSuccess && first.length < shown,
  });
  const known = new Set(first.map(({ _id }) => _id));
  const more = bySport(item, others.data?.result).filter(({ _id }) => !known.has(_id));
  const similar = [...first, ...more].slice(0, shown);
  if (similar.length === 0) return null;
  return (
    <Section title="Similar classes">
      <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {similar.map((other) => (
          <li key={other._id}>
            <Teaser item={other} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Teaser({ item }: { item: Class }) {
  return (
    <Link
      to={paths.class(item._id)}
      className="bg-base-100 border-base-300 rounded-box flex h-full items-center gap-4 border p-2.5 pr-4 shadow-sm transition-shadow duration-150 hover:shadow-lg"
    >
      <Thumb src={item.img} className="size-24" />
      <span className="min-w-0">
        <span className="line-clamp-2 leading-snug font-semibold wrap-anywhere">{item.name}</span>
        <span className="muted line-clamp-2 text-sm">{shortSchedule(item) || item.sport}</span>
        <span className="figures block text-sm font-bold">{shortMoney(item.price)}</span>
      </span>
    </Link>
  );
}
