// A class as visitors see it in a grid: on a phone low, with a small picture beside its facts.
import { Link } from 'react-router';
import type { Class } from '../../contract/classes/classes.ts';
import { paths } from '../platform/paths.ts';
import { Picture } from '../platform/ui/Picture.tsx';
import { Skeleton } from '../platform/ui/States.tsx';
import { ShortFacts } from './ClassFacts.tsx';
import { Fits } from './Fits.tsx';
import { Offer } from './Offer.tsx';

interface ClassCardProps {
  item: Class;
  /** For the first one of a page: its picture does not wait for the others. */
  eager?: boolean;
  /** With the wide picture on a phone, too. */
  wide?: boolean;
}

export function ClassCard({ item, eager = false, wide = false }: ClassCardProps) {
  return (
    <article className={`class-card ${wide ? '' : 'class-card-low'}`}>
      <div className="class-card-picture">
        <Picture
          src={item.img}
          alt=""
          width={800}
          height={450}
          sizes={wide ? undefined : '(min-width: 64rem) 26rem, (min-width: 40rem) 50vw, 96px'}
          loading={eager ? 'eager' : 'lazy'}
          fetchPriority={eager ? 'high' : 'auto'}
          className={`class-card-image object-cover ${item.seat > 0 ? '' : 'grayscale'}`}
        />
        <span>{item.sport}</span>
      </div>
      <div className="class-card-facts">
        <h3>
          <Link to={paths.class(item._id)} className="after:absolute after:inset-0">
            {item.name}
          </Link>
        </h3>
        <p className="meta">
          Instructor: <span className="text-base-content font-medium">{item.instructor}</span>{' '}
          <Fits item={item} />
        </p>
        <ShortFacts item={item} />
      </div>
      <div className="class-card-offer">
        <Offer item={item} />
      </div>
    </article>
  );
}

/** As high as a card whose texts have one line each. */
export const ClassCardSkeleton = () => (
  <div className="class-card class-card-low">
    <div className="class-card-picture">
      <Skeleton className="class-card-image rounded-none" />
    </div>
    <div className="class-card-facts gap-2">
      <Skeleton className="h-5 w-2/3" />
      <Skeleton className="h-4 w-1/2" />
      <Skeleton className="h-4 w-3/4" />
    </div>
    <div className="class-card-offer">
      <Skeleton className="h-11" />
    </div>
  </div>
);
