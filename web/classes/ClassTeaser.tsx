// A class in a few lines next to a small picture, where a card would be too large. It leads to the
// class page.
import { Link } from 'react-router';
import type { Class } from '../../contract/classes/classes.ts';
import { paths } from '../platform/paths.ts';
import { shortMoney } from '../platform/ui/money.ts';
import { Picture } from '../platform/ui/Picture.tsx';
import { shortSchedule } from './ClassFacts.tsx';

export function ClassTeaser({ item }: { item: Class }) {
  return (
    <Link
      to={paths.class(item._id)}
      className="bg-base-100 border-base-300/70 rounded-box flex h-full items-center gap-4 border p-2.5 pr-4 shadow-sm transition-shadow duration-150 hover:shadow-lg"
    >
      <Picture
        src={item.img}
        alt=""
        width={96}
        height={96}
        className="rounded-field size-24 shrink-0 object-cover"
      />
      <span className="min-w-0">
        <span className="line-clamp-2 leading-snug font-semibold wrap-anywhere">{item.name}</span>
        <span className="muted line-clamp-2 text-sm">{shortSchedule(item) || item.sport}</span>
        <span className="figures block text-sm font-bold">{shortMoney(item.price)}</span>
      </span>
    </Link>
  );
}
