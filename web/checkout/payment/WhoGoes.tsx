// Who comes to the classes that are paid for, and a button that changes it. A seat for oneself is asked
// about before the card where the ages do not fit, or nobody knows.
import { useQuery } from '@tanstack/react-query';
import { agesInWords } from '../../../contract/people/ages.ts';
import type { BasketLine } from '../../../contract/platform/lines.ts';
import { participants } from '../../classes/participants.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { CardSection } from '../../platform/ui/CardSection.tsx';
import { nameFor } from '../../platform/ui/ForWhom.tsx';
import { noDates } from '../../platform/ui/WhenWhere.tsx';
import { ChangeLink } from '../../classes/ChangeWho.tsx';

type OnChange = { onChange: (line: BasketLine) => void };
type WhoIsItProps = OnChange & { line: BasketLine; onPass: () => void };

export function WhoIsIt({ line, onChange, onPass }: WhoIsItProps) {
  const own = useQuery(participants).data?.find(({ self }) => self);
  return (
    <CardSection title="Who is it for?">
      <p className="wrap-anywhere">
        {line.name} is for {agesInWords(line)}, and you have chosen yourself.
      </p>
      <Button size="large" onClick={() => onChange(line)}>
        Choose a child
      </Button>
      {own?.born && (
        <Button look="plain" onClick={onPass}>
          It is for me
        </Button>
      )}
    </CardSection>
  );
}

type WhoComesProps = OnChange & { lines: readonly BasketLine[] };

/** Each child by name, and each class that has no dates yet. */
export const WhoComes = ({ lines, onChange }: WhoComesProps) => (
  <ul className="mb-4 empty:hidden">
    {lines
      .filter(({ participant, undated }) => participant !== null || undated)
      .map((line) => (
        <li key={line.cartItemId} className="flex flex-wrap items-center gap-x-2 text-sm">
          <span className="wrap-anywhere">{nameFor(line.name, line.participant)}</span>
          {line.undated && <span className="text-warning font-medium">{noDates}</span>}
          {line.participant && (
            <ChangeLink of={nameFor(line.name, line.participant)} onChange={() => onChange(line)} />
          )}
        </li>
      ))}
  </ul>
);
