// The instructor of a class: face, name, email, and the way to their other classes.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type ClassDetail, listClasses } from '../../../contract/classes/classes.ts';
import { query } from '../../platform/api/query.ts';
import { reading } from '../../platform/api/reads.ts';
import { inWords } from '../../platform/lists/total.ts';
import { paths } from '../../platform/paths.ts';
import { Email } from '../../platform/ui/Email.tsx';
import { Avatar } from '../../platform/ui/Picture.tsx';
import { Section } from './Section.tsx';

/** Only their number is wanted. */
const offered = ({ instructorId }: ClassDetail) =>
  ({ status: 'approved', instructor: instructorId, limit: 1 }) as const;

export const readOthers = (item: ClassDetail) => reading(listClasses, offered(item));

export function Coach({ item }: { item: ClassDetail }) {
  const { data } = useQuery({ ...query(listClasses, offered(item)), staleTime: 30_000 });
  const others = (data?.total ?? 0) - (item.status === 'approved' ? 1 : 0);
  return (
    <Section title="Instructor">
      <div className="flex items-center gap-4">
        <Avatar
          person={{ id: item.instructorId, name: item.instructor, image: item.instructorImg }}
          size={96}
          named={false}
        />
        <div className="min-w-0">
          <h3 className="text-lg">{item.instructor}</h3>
          <p className="text-sm">
            <span className="muted">Email </span>
            <a href={`mailto:${item.email}`} className="link-hover">
              <Email address={item.email} />
            </a>
          </p>
          {others > 0 && (
            <p className="figures mt-1 text-sm">
              <Link
                to={paths.classesOf(item.instructorId)}
                className="link link-primary font-medium underline-offset-4"
              >
                {others === 1 ? '1 other class' : `${inWords(others)} other classes`}
              </Link>
            </p>
          )}
        </div>
      </div>
    </Section>
  );
}
