// An instructor as visitors see one: image, name, email, and the way to their classes.
import type { Instructor } from '../../../contract/instructors.ts';
import { paths } from '../../paths.ts';
import { LinkButton } from '../../ui/Button.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { Skeleton } from '../../ui/States.tsx';

export function InstructorCard({ person }: { person: Instructor }) {
  return (
    <article className="bg-base-100 border-base-300/70 rounded-box @container flex h-full flex-col overflow-hidden border shadow-sm">
      <Picture
        src={person.img}
        alt=""
        width={480}
        height={480}
        className="aspect-[5/4] w-full object-cover object-top"
      />
      <div className="flex flex-1 flex-col gap-1 p-4 @3xs:p-5">
        <p className="muted text-xs">Name</p>
        <h3 className="-mt-1 text-lg">{person.name}</h3>
        <p className="muted mt-1 text-xs">Email</p>
        <a href={`mailto:${person.email}`} className="link-hover -mt-0.5 text-sm break-all">
          {person.email}
        </a>
        <p className="muted figures mt-1 mb-4 text-sm">
          {person.classes === 1 ? '1 class' : `${person.classes} classes`}
        </p>
        <LinkButton to={paths.classesOf(person.id)} look="outline" className="mt-auto">
          See Classes<span className="sr-only"> of {person.name}</span>
        </LinkButton>
      </div>
    </article>
  );
}

export function InstructorCardSkeleton() {
  return (
    <div className="bg-base-100 border-base-300/70 rounded-box flex flex-col overflow-hidden border">
      <Skeleton className="aspect-[5/4] rounded-none" />
      <div className="flex flex-col gap-3 p-5">
        <Skeleton className="h-6 w-2/3" />
        <Skeleton className="h-4 w-1/2" />
        <Skeleton className="mt-4 h-11" />
      </div>
    </div>
  );
}
