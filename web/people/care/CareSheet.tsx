// The care facts of a participant to read in a hurry: what is dangerous first, the first contact one
// tap away. For the roll call.
import type { CareFacts, CarePerson } from '../../../contract/people/care.ts';
import { Icon } from '../../platform/ui/Icon.tsx';
import { Modal } from '../../platform/ui/Modal.tsx';
import { dateOf } from '../../platform/ui/dates.ts';
import * as icons from '../../platform/ui/dashboardicons.ts';

interface CareSheetProps {
  name: string;
  facts: CareFacts;
  onClose: () => void;
}

export const CareSheet = ({ name, facts, onClose }: CareSheetProps) => (
  <Modal title={name} shape="sheet" onClose={onClose}>
    <CareRead facts={facts} />
  </Modal>
);

function CareRead({ facts }: { facts: CareFacts }) {
  const [first, ...others] = facts.contacts;
  if (facts.state === 'none') return <p className="muted">Nothing was written down.</p>;
  if (facts.state === 'unreadable')
    return <p className="text-error">The allergies and contacts cannot be read. Ask the family.</p>;
  return (
    <div className="flex flex-col gap-5">
      {first && (
        <a
          href={telephone(first)}
          data-focus-first
          className="btn btn-primary btn-lg h-auto min-h-14 w-full flex-col gap-0 py-2"
        >
          <span className="flex items-center gap-2">
            <Icon name={icons.phone} className="size-5" /> Call {described(first)}
          </span>
          <span className="text-sm font-normal tabular-nums">{first.phone}</span>
        </a>
      )}
      <dl className="flex flex-col gap-4">
        <Fact title="Allergies" words={facts.allergies} alarming />
        <Fact title="Health" words={facts.health} />
        <Fact title="Medicine" words={facts.medicine} />
        <Fact title="Note" words={facts.note} />
        {others.length > 0 && <People title="Other contacts" people={others} />}
        <People title="May be picked up by" people={facts.pickup} none="Guardians only" />
        <Fact
          title="After class"
          words={facts.mayGoAlone ? 'May leave alone' : 'Wait until they are picked up'}
        />
      </dl>
      {facts.confirmedAt && (
        <p className="muted text-sm">
          {facts.state === 'old' && (
            <Icon name="alert" className="text-warning mr-1 inline size-4" />
          )}
          Confirmed by the family on {dateOf(facts.confirmedAt, 'always')}
        </p>
      )}
    </div>
  );
}

const telephone = ({ phone }: CarePerson) => `tel:${phone.replace(/[^+\d]/g, '')}`;
const described = ({ name, relation }: CarePerson) => (relation ? `${name}, ${relation}` : name);

function Fact({ title, words, alarming }: { title: string; words: string; alarming?: boolean }) {
  if (!words) return null;
  return (
    <div>
      <dt className="muted text-sm">{title}</dt>
      <dd
        className={`whitespace-pre-line break-words ${alarming ? 'text-error font-semibold' : ''}`}
      >
        {words}
      </dd>
    </div>
  );
}

function People({ title, people, none }: { title: string; people: CarePerson[]; none?: string }) {
  return (
    <div>
      <dt className="muted text-sm">{title}</dt>
      {people.length === 0 && <dd>{none}</dd>}
      {people.map((person) => (
        <dd key={`${person.name} ${person.phone}`}>
          <a href={telephone(person)} className="link-hover apart">
            <span className="min-w-0 break-words">{described(person)}</span>
            <span className="text-primary font-medium tabular-nums">{person.phone}</span>
          </a>
        </dd>
      ))}
    </div>
  );
}
