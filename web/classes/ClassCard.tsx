// A class as visitors see it in a grid.
import { Link } from 'react-router';
import type { Class } from '../../contract/classes/classes.ts';
import { paths } from '../platform/paths.ts';
import { Picture } from '../platform/ui/Picture.tsx';
import { Skeleton } from '../platform/ui/States.tsx';
import { ShortFacts } from './ClassFacts.tsx';
import { Offer } from './Offer.tsx';

const frame =
  'bg-base-100 border-base-300/70 rounded-box flex h-full flex-col overflow-hidden border';
const body =
  'flex flex-1 flex-col gap-0.5 px-3 pt-2 pb-2.5 sm:pb-3 sm:max-md:px-2.5 lg:gap-1 lg:p-4';

/** `eager` for the first one of a page: its picture does not wait for the others. */
export function ClassCard({ item, eager = false }: { item: Class; eager?: boolean }) {
  return (
    <article
      className={`${frame} group relative shadow-sm transition-shadow duration-150 focus-within:shadow-lg hover:shadow-lg`}
    >
      <div className="relative aspect-video overflow-hidden">
        <Picture
          src={item.img}
          alt=""
          width={800}
          height={450}
          loading={eager ? 'eager' : 'lazy'}
          fetchPriority={eager ? 'high' : 'auto'}
          className={`size-full object-cover transition-transform duration-150 group-hover:scale-[1.02] ${item.seat > 0 ? '' : 'grayscale-75'}`}
        />
        <span className="bg-base-100 absolute top-2.5 left-2.5 rounded-full px-2.5 py-1 text-xs font-medium shadow-sm">
          {item.sport}
        </span>
      </div>
      <div className={body}>
        <h3 className="text-lg leading-snug">
          <Link
            to={paths.class(item._id)}
            className="line-clamp-2 after:absolute after:inset-0 after:content-['']"
          >
            {item.name}
          </Link>
        </h3>
        <p className="muted truncate text-sm">
          Instructor: <span className="text-base-content font-medium">{item.instructor}</span>
        </p>
        <ShortFacts item={item} />
        <div className="mt-auto pt-1 sm:pt-1.5">
          <Offer item={item} />
        </div>
      </div>
    </article>
  );
}

/** As high as a card whose texts have one line each. */
export function ClassCardSkeleton() {
  return (
    <div className={frame}>
      <Skeleton className="aspect-video rounded-none" />
      <div className={body}>
        <Skeleton className="my-0.5 h-5 w-2/3" />
        <Skeleton className="my-0.5 h-4 w-1/2" />
        <Skeleton className="my-0.5 h-4 w-3/4" />
        <Skeleton className="my-0.5 h-4 w-2/3" />
        <Skeleton className="mt-2 h-11 sm:mt-2.5 sm:h-10" />
      </div>
    </div>
  );
}
