// One person of the family: name, age, next meeting, and whether care facts were entered.
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { OwnMeeting } from '../../../contract/classes/calendar.ts';
import type { Participant } from '../../../contract/people/family.ts';
import { paths } from '../../platform/paths.ts';
import { useSession } from '../../people/session/SessionProvider.tsx';
import { type AnyIcon, Icon } from '../../platform/ui/Icon.tsx';
import { Avatar } from '../../platform/ui/Picture.tsx';
import * as icons from '../../platform/ui/dashboardicons.ts';
import { dayName } from '../../platform/ui/dates.ts';
import { aboutOf, careInWords, namesInWords } from './words.ts';

interface PersonCardProps {
  person: Participant;
  /** Null: there is none; undefined: not known. */
  next: OwnMeeting | null | undefined;
}

export function PersonCard({ person, next }: PersonCardProps) {
  const { user } = useSession();
  const { _id, self, name, care, guardians, invited } = person;
  const others = guardians.filter(({ you }) => !you).map((guardian) => guardian.name);
  return (
    <article className="card border-base-300 bg-base-100 relative h-full border transition-shadow duration-150 focus-within:shadow-lg hover:shadow-lg">
      <div className="card-body gap-4 p-5">
        <div className="flex items-center gap-3">
          <Avatar
            person={{ id: _id, name, image: self ? user?.image : null }}
            size={64}
            named={false}
          />
          <div className="min-w-0 flex-1">
            <h2 className="text-lg leading-snug">
              <Link
                to={paths.dashboard.familyMember(_id)}
                className="rounded-box after:rounded-box outline-none after:absolute after:inset-0 after:content-[''] focus-visible:after:outline-3 focus-visible:after:outline-primary"
              >
                {name}
              </Link>
            </h2>
            <p className="muted figures text-sm">{aboutOf(person)}</p>
          </div>
          <Icon name="right" className="muted size-5 shrink-0" />
        </div>
        <ul className="flex flex-col gap-1.5 text-sm">
          <Fact icon="clock">
            {next === undefined ? (
              'Next meeting: …'
            ) : next ? (
              <>
                <span className="figures font-medium whitespace-nowrap">
                  {dayName(next.day)}, {next.starts}
                </span>{' '}
                {next.name}
                {next.place && `, ${next.place}`}
              </>
            ) : (
              'No meeting in the next six weeks'
            )}
          </Fact>
          <Fact
            icon={care === 'filled' ? icons.circleCheck : 'alert'}
            tone={
              care === 'filled' ? 'text-success' : self && care === 'none' ? '' : 'text-warning'
            }
          >
            Care facts: {careInWords(person)}
          </Fact>
          {others.length > 0 && <Fact icon="users">Shared with {namesInWords(others)}</Fact>}
          {invited.length > 0 && <Fact icon={icons.mail}>Invited: {invited.join(', ')}</Fact>}
        </ul>
      </div>
    </article>
  );
}

interface FactProps {
  icon: AnyIcon;
  tone?: string;
  children: ReactNode;
}

function Fact({ icon, tone = '', children }: FactProps) {
  return (
    <li className={`flex items-start gap-2 ${tone && 'font-medium'} ${tone}`}>
      <Icon name={icon} className={`mt-0.5 size-4 shrink-0 ${tone ? '' : 'muted'}`} />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </li>
  );
}
