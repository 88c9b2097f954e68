// An instructor as visitors see one.
import type { Instructor } from '../../contract/classes/instructors.ts';
import { paths } from '../platform/paths.ts';
import { LinkButton } from '../platform/ui/Button.tsx';
import { Avatar } from '../platform/ui/Picture.tsx';
import { Skeleton } from '../platform/ui/States.tsx';

const frame =
  'bg-base-100 border-base-300 rounded-box @container flex h-full flex-col gap-4 border p-4 lg:p-5';

export function InstructorCard({ person }: { person: Instructor }) {
  return (
    <article className={`${frame} shadow-sm`}>
      <div className="flex flex-col gap-4 @[15rem]:flex-row">
        <Avatar person={{ ...person, image: person.img }} size={96} named={false} />
        <div className="min-w-0 flex-1">
          <p className="muted text-xs">Name</p>
          <h3 className="text-lg leading-snug">{person.name}</h3>
          <p className="muted mt-2 text-xs">Email</p>
          <a
            href={`mailto:${person.email}`}
            title={person.email}
            className="link-hover block truncate text-sm"
          >
            {person.email}
          </a>
        </div>
      </div>
      {person.about && <p className="text-sm wrap-anywhere">{person.about}</p>}
      <p className="muted figures text-sm">{teaches(person)}</p>
      <LinkButton to={paths.classesOf(person.id)} look="outline" className="mt-auto">
        See Classes<span className="sr-only"> of {person.name}</span>
      </LinkButton>
    </article>
  );
}

function teaches({ sports, classes }: Instructor): string {
  if (classes === 0) return 'No classes at the moment';
  const more = sports.length > 3 ? ` and ${sports.length - 3} more` : '';
  return `${classes === 1 ? '1 class' : `${classes} classes`}: ${sports.slice(0, 3).join(', ')}${more}`;
}

export function InstructorCardSkeleton() {
  return (
    <div className={frame}>
      <div className="flex flex-col gap-4 @[15rem]:flex-row">
        <Skeleton className="size-24 shrink-0 rounded-full" />
        <div className="flex flex-1 flex-col gap-3">
          <Skeleton className="h-6 w-2/3" />
          <Skeleton className="h-4" />
        </div>
      </div>
      <Skeleton className="h-5 w-1/2" />
      <Skeleton className="h-11" />
    </div>
  );
}
