// The roll call on paper. On the screen it is hidden.
import type { CarePerson } from '../../../contract/people/care.ts';
import type { Roster, RosterMeeting } from '../../../contract/rollcall/rollcall.ts';
import type { Me, Row } from '../rows.ts';
import { dayInYear, dayName, todayIn } from '../../platform/ui/dates.ts';
import { capital } from '../../platform/ui/locale.ts';

interface PrintListProps {
  roster: Roster;
  meeting: RosterMeeting | undefined;
  rows: readonly Row[];
  me: Me;
}

export function PrintList({ roster, meeting, rows, me }: PrintListProps) {
  return (
    <section
      aria-hidden="true"
      className="hidden bg-white text-black print:block [&_td]:border [&_td]:border-black [&_td]:p-1.5 [&_td]:align-top [&_th]:border [&_th]:border-black [&_th]:p-1.5 [&_th]:text-left"
    >
      <h1 className="text-2xl">{roster.name}</h1>
      <p>
        {meeting
          ? `${dayName(meeting.day)}, ${meeting.starts}–${meeting.ends}${meeting.place && `, ${meeting.place}`}`
          : 'No dates yet'}
      </p>
      <table className="mt-4 w-full border-collapse text-sm">
        <thead>
          <tr>
            <th className="w-10">Here</th>
            <th>Name</th>
            <th className="w-12">Age</th>
            <th>Care</th>
            <th>Contacts</th>
            <th>May pick up</th>
            <th>Goes home alone</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key} className="break-inside-avoid">
              <td className="text-center">{row.mark ? capital(row.mark.status) : <Box />}</td>
              <td className="font-semibold">
                {row.name}
                {!row.person && <span className="font-normal"> (walk-in)</span>}
              </td>
              <td>{row.person?.age ?? ''}</td>
              <td>
                <CareLines row={row} />
              </td>
              <td>
                <PersonLines people={row.person?.care?.contacts} />
                {row.person?.reach && <p>{row.person.reach}</p>}
              </td>
              <td>
                <PersonLines people={known(row)?.pickup} none="Guardians only" />
              </td>
              <td>{known(row) && (known(row)?.mayGoAlone ? 'Yes' : 'No')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-4 font-semibold">
        Printed for {me.name}, {dayInYear(todayIn())}. Destroy after class.
      </p>
    </section>
  );
}

const Box = () => <span className="inline-block size-5 border-2 border-black" />;

function CareLines({ row: { person } }: { row: Row }) {
  const care = person?.care;
  if (!care) return null;
  const lines = [
    care.state === 'unreadable' && 'Allergies and contacts cannot be read: ask the family.',
    care.allergies && `Allergies: ${care.allergies}`,
    care.health && `Health: ${care.health}`,
    care.medicine && `Medicine: ${care.medicine}`,
    care.note,
  ].filter((line): line is string => Boolean(line));
  return lines.map((line) => (
    <p key={line} className="whitespace-pre-line">
      {line}
    </p>
  ));
}

/** While they are shown, and can be read. */
const known = ({ person }: Row) => (person?.care?.state === 'unreadable' ? null : person?.care);

function PersonLines({ people, none }: { people: CarePerson[] | undefined; none?: string }) {
  if (people?.length === 0) return none;
  return people?.map(({ name, relation, phone }) => (
    <p key={name + phone}>
      {name}
      {relation && ` (${relation})`}: {phone}
    </p>
  ));
}
